#include "options.h"
#include "hosts/gather.h"
#include "sca_error.h"

static struct sca_live_settings *of(void *context)
{
    return context;
}

static int set_once(void *context, const char *value)
{
    (void)value;
    of(context)->once = true;
    return SCA_OK;
}

static int set_json(void *context, const char *value)
{
    (void)value;
    of(context)->json = true;
    return SCA_OK;
}

static int set_openmetrics(void *context, const char *value)
{
    (void)value;
    of(context)->openmetrics = true;
    return SCA_OK;
}

static int set_watch(void *context, const char *value)
{
    (void)value;
    of(context)->watch = true;
    return SCA_OK;
}

static int set_interval(void *context, const char *value)
{
    return sca_options_parse_double(value, 0.1, 86400, &of(context)->interval_s);
}

static int set_fail_above(void *context, const char *value)
{
    return sca_options_parse_double(value, 0, 100, &of(context)->fail_above);
}

static int set_snapshot(void *context, const char *value)
{
    of(context)->snapshot = value;
    return *value ? SCA_OK : sca_fail(SCA_EINVAL, "--snapshot needs a folder");
}

static int set_launcher(void *context, const char *value)
{
    of(context)->launcher = value;
    return *value ? SCA_OK : sca_fail(SCA_EINVAL, "--launcher needs a command");
}

static int set_hosts(void *context, const char *value)
{
    of(context)->hosts = value;
    return *value ? SCA_OK : sca_fail(SCA_EINVAL, "--hosts needs names of hosts");
}

static int set_fanout(void *context, const char *value)
{
    return sca_options_parse_uint(value, 1, SCA_GATHER_MOST_FANOUT, &of(context)->fanout);
}

static int set_collect(void *context, const char *value)
{
    of(context)->collect = value;
    return SCA_OK;
}

static int set_token(void *context, const char *value)
{
    of(context)->token = value;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "once",
     .help = "look once and print it",
     .set = set_once,
     .detail = "So it does where the output is no terminal."},
    {.name = "json",
     .help = "with --once: as JSON, scalana-live/1",
     .set = set_json,
     .detail = "FORMATS.md in the documentation says what is in it."},
    {.name = "openmetrics",
     .help = "with --once: as OpenMetrics, for monitoring",
     .set = set_openmetrics,
     .detail = "For the textfile collector of a site's monitoring, or what reads the exposition "
               "format of Prometheus."},
    {.name = "watch",
     .help = "look until the job ends; print a line when something changes",
     .set = set_watch,
     .detail = "For job scripts. The exit status is 0 where nothing was wrong."},
    {.name = "fail-above",
     .argument = "PERCENT",
     .help = "with --watch: end with status 3 if a cause costs more, or the job hangs",
     .set = set_fail_above,
     .detail = "The lower bound of what mending the cause saves, with 95 % confidence, must lie "
               "above it in two looks, one after the other. A deadlock counts as well. "
               "The last line says which."},
    {.name = "interval",
     .argument = "SECONDS",
     .help = "time between looks (screen 2, --watch 10)",
     .set = set_interval,
     .detail = "No more than a tenth of a core is used: where a look takes long, the next one "
               "waits."},
    {.name = "snapshot",
     .argument = "DIR",
     .help = "keep the state in this new folder, and end",
     .set = set_snapshot,
     .detail = "It is a run directory: scalana-detect finds the verdict of the run so far, and "
               "--since the verdict of what came after."},
    {.name = "launcher",
     .argument = "COMMAND",
     .help = "look at all hosts of the job, each by a collector that this starts",
     .set = set_launcher,
     .detail = "Such as 'srun --overlap --ntasks-per-node=1', 'mpirun -N 1', or ssh with --hosts. "
               "Words are divided at blanks; no shell reads them. {host} stands for a host of "
               "--hosts. RUN has the same path on all hosts."},
    {.name = "hosts",
     .argument = "A,B,...",
     .help = "with a --launcher that goes host by host, as ssh: to which",
     .set = set_hosts,
     .detail = "Names or addresses, as the launcher knows them."},
    {.name = "fanout",
     .argument = "N",
     .help = "collectors below each in their tree (16)",
     .set = set_fanout,
     .detail = "The others pass on what those below them say."},
    {.name = "collect",
     .argument = "ADDRESSES",
     .help = "be a collector: what --launcher starts",
     .set = set_collect,
     .detail = "Sends what is new of this host's ranks in RUN to whoever listens there."},
    {.name = "token",
     .argument = "FILE",
     .help = "with --collect: the token, '-' for standard input",
     .set = set_token,
     .detail = "Of a file that only its user can read. Who has not the token is refused."},
    {0}};

const struct sca_command sca_live_command = {
    .name = "scalana-live",
    .usage = "scalana-live [OPTION]... [RUN | PROGRAM]",
    .summary =
        "Shows what a running job does: ranks by state, who waits for whom, deadlocks, the "
        "heaviest code and the verdict so far. RUN is its run directory; of a program's name, or "
        "without, the newest run here. The job is not stopped, and does not notice. Of a job that "
        "was killed it shows what it did last.",
    .options = options,
    .operand = "directory"};

static int check_hosts(const struct sca_live_settings *s, int operands)
{
    if ((s->hosts || s->fanout) && !s->launcher)
        return sca_fail(SCA_EINVAL, "--%s needs --launcher", s->hosts ? "hosts" : "fanout");
    if (!s->collect != !s->token)
        return sca_fail(SCA_EINVAL, "--collect and --token go together");
    if (s->collect && operands != 1)
        return sca_fail(SCA_EINVAL, "--collect needs RUN");
    return SCA_OK;
}

int sca_live_settings_check(const struct sca_live_settings *s, int operands)
{
    int status = check_hosts(s, operands);
    if (status != SCA_OK)
        return status;
    if (s->json && s->openmetrics)
        return sca_fail(SCA_EINVAL, "--json and --openmetrics do not go together");
    if (s->watch && (s->once || s->json || s->openmetrics))
        return sca_fail(SCA_EINVAL, "--watch and --once do not go together");
    if (s->fail_above >= 0 && !s->watch)
        return sca_fail(SCA_EINVAL, "--fail-above needs --watch");
    if (s->snapshot && (s->watch || s->once || s->json || s->openmetrics))
        return sca_fail(SCA_EINVAL, "--snapshot goes alone");
    return SCA_OK;
}
