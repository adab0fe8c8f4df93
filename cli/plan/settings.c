#include "plan/settings.h"
#include "sca_error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 10000000, MOST_THREADS = 4096 };

static struct sca_run_settings *of(void *context)
{
    return context;
}

struct list { /* numbers, each once: each has one place in the result */
    const char *option;
    unsigned most, room;
    unsigned *numbers, *count;
};

static int add_number(const struct list *list, unsigned n)
{
    for (unsigned i = 0; i < *list->count; i++)
        if (list->numbers[i] == n)
            return sca_fail(SCA_EINVAL, "--%s has %u twice: --again=1 repeats each size",
                            list->option, n);
    if (*list->count == list->room)
        return sca_fail(SCA_EINVAL, "--%s takes at most %u sizes", list->option, list->room);
    list->numbers[(*list->count)++] = n;
    return SCA_OK;
}

static int read_numbers(const struct list *list, const char *value)
{
    char *copy = sca_words_format("%s", value), *rest = copy;
    int status = SCA_OK;
    *list->count = 0;
    for (char *word; status == SCA_OK && (word = strsep(&rest, ","));) {
        unsigned long n = 0;
        status = sca_options_parse_uint(word, 1, list->most, &n);
        if (status == SCA_OK)
            status = add_number(list, (unsigned)n);
    }
    free(copy);
    return status;
}

static int set_ranks(void *context, const char *value)
{
    struct sca_run_settings *s = of(context);
    const struct list list = {"ranks", MOST_RANKS, SCA_RUN_MOST_SIZES, s->sizes, &s->nsizes};
    s->ranks = value;
    return read_numbers(&list, value);
}

static int set_threads(void *context, const char *value)
{
    struct sca_run_settings *s = of(context);
    const struct list list = {"threads", MOST_THREADS, SCA_RUN_MOST_THREADS, s->threads,
                              &s->nthreads};
    s->threads_told = value;
    return read_numbers(&list, value);
}

static int set_again(void *context, const char *value)
{
    return sca_options_parse_uint(value, 0, SCA_RUN_MOST_AGAIN, &of(context)->again);
}

static int set_launcher(void *context, const char *value)
{
    of(context)->launcher = value;
    return SCA_OK;
}

static int set_output(void *context, const char *value)
{
    of(context)->output = value;
    return *value ? SCA_OK : sca_fail(SCA_EINVAL, "--output needs a folder");
}

static int set_work(void *context, const char *value)
{
    of(context)->work = value;
    return SCA_OK;
}

static int set_fail_above(void *context, const char *value)
{
    double percent;
    of(context)->fail_above = value;
    return sca_options_parse_double(value, 0, 100, &percent);
}

static int set_meta(void *context, const char *value)
{
    if (!strchr(value, '=') || *value == '=')
        return sca_fail(SCA_EINVAL, "--meta takes KEY=VALUE, not '%s'", value);
    sca_words_add(&of(context)->meta, value);
    return SCA_OK;
}

static int set_job(void *context, const char *value)
{
    of(context)->job = value;
    return SCA_OK;
}

static int set_ci(void *context, const char *value)
{
    of(context)->ci = value;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "ranks",
     .letter = 'n',
     .argument = "N,N,...",
     .help = "numbers of ranks, one run for each",
     .set = set_ranks,
     .detail = "The default is the largest power of two with one core per rank, half of it and a "
               "quarter. Inside a batch job the job's tasks count instead of cores."},
    {.name = "threads",
     .argument = "N,N,...",
     .help = "numbers of OpenMP threads of a rank, one run for each",
     .set = set_threads,
     .detail = "OMP_NUM_THREADS of the ranks. With one number of ranks, the verdict says what does "
               "not scale with the threads. The default of --ranks then is one size, with cores "
               "for all threads."},
    {.name = "again",
     .argument = "N",
     .help = "number of repetitions of each size (0)",
     .set = set_again,
     .detail = "Sizes alternate. Repetitions show random variation."},
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .help = "result folder (default: scalana-PROGRAM)",
     .set = set_output,
     .detail = "It holds a run directory for each run, report.json and report.html. An existing "
               "folder is not overwritten: .2, .3 and so on is appended."},
    {.name = "launcher",
     .argument = "COMMAND",
     .help = "command that starts the ranks, with its options",
     .set = set_launcher,
     .detail = "Blanks separate its words. %n in it stands for the number of ranks; without %n, -n "
               "and the number follow. The default is srun or flux run inside a batch job. "
               "Elsewhere it is the mpirun or mpiexec of the MPI library that the program links."},
    {.name = "work",
     .argument = "RANKS:N,...",
     .help = "problem size of each run: 6:600,12:1200",
     .set = set_work,
     .detail = "As --work of scalana-detect(1), or numbers alone in the order of --ranks: for weak "
               "scaling, where the problem grows with the "
               "ranks."},
    {.name = "fail-above",
     .argument = "PERCENT",
     .help = "exit status 3 if fixing a cause saves more",
     .set = set_fail_above,
     .detail = "For automatic tests."},
    {.name = "meta",
     .argument = "KEY=VALUE",
     .help = "keep this with the runs (repeatable)",
     .set = set_meta,
     .detail = "Each run directory keeps command, launcher, host, date, git revision and compilers "
               "in any case, in meta.json. The report shows them."},
    {.name = "print-job",
     .argument = "SYSTEM",
     .help = "print a job script for this command: slurm, flux, pbs",
     .set = set_job,
     .choices = "slurm flux pbs",
     .detail = "Nothing runs. Read the script's first lines before you submit it."},
    {.name = "print-ci",
     .argument = "SYSTEM",
     .help = "print a recipe for automatic tests: github, gitlab",
     .set = set_ci,
     .choices = "github gitlab",
     .detail = "Nothing runs. The recipe builds, runs, compares with the main branch and draws a "
               "badge."},
    {0}};

const struct sca_command sca_run_command = {
    .name = "scalana run",
    .usage = "scalana run [OPTION]... [--] PROGRAM [ARGUMENT]...",
    .summary = "Runs an MPI program on several numbers of ranks and finds what stops it from "
               "scaling. Writes report and page into one folder.",
    .options = options,
    .stop_at_operand = 1,
    .operand = "command",
};

struct work_list {
    unsigned count, named;           /* entries, those that name their ranks */
    unsigned of[SCA_RUN_MOST_SIZES]; /* of each size: entries that name it */
    bool valid;
};

static bool is_positive(const char *number, const char *end)
{
    char *after;
    double value = strtod(number, &after);
    return after == end && value > 0 && isfinite(value);
}

static struct work_list read_work(const struct sca_run_settings *s)
{
    struct work_list list = {.valid = true};
    for (const char *at = s->work; at; at = *at ? at + 1 : NULL) {
        const char *end = at + strcspn(at, ","), *colon = memchr(at, ':', (size_t)(end - at));
        unsigned long ranks = colon ? strtoul(at, NULL, 10) : 0;
        list.count++;
        list.named += colon != NULL;
        list.valid = list.valid && is_positive(colon ? colon + 1 : at, end);
        for (unsigned i = 0; i < s->nsizes; i++)
            list.of[i] += ranks == s->sizes[i];
        at = end;
    }
    return list;
}

static int check_work(const struct sca_run_settings *s)
{
    if (!s->nsizes)
        return sca_fail(SCA_EINVAL, "--work needs --ranks, with a number for each size");
    struct work_list list = read_work(s);
    if (!list.valid || (list.named && list.named != list.count))
        return sca_fail(SCA_EINVAL,
                        "--work=%s: give RANKS:WORK,... or a number for each size, all above 0",
                        s->work);
    for (unsigned i = 0; list.named && i < s->nsizes; i++)
        if (list.of[i] != 1)
            return sca_fail(SCA_EINVAL, "--work=%s: %u ranks are %s", s->work, s->sizes[i],
                            list.of[i] ? "there twice" : "missing");
    if (!list.named && list.count != s->nsizes)
        return sca_fail(SCA_EINVAL, "--work has %u numbers for %u sizes", list.count, s->nsizes);
    return SCA_OK;
}

int sca_run_settings_check(const struct sca_run_settings *s)
{
    if (!s->command || !s->command[0])
        return sca_fail(SCA_EINVAL, "no program given (see scalana run --help)");
    if (s->job && s->ci)
        return sca_fail(SCA_EINVAL, "--print-job and --print-ci exclude each other");
    if ((s->job || s->ci) && !s->nsizes)
        return sca_fail(SCA_EINVAL,
                        "--print-%s needs --ranks, because another machine has other cores",
                        s->job ? "job" : "ci");
    return s->work ? check_work(s) : SCA_OK;
}
