/* scalana-detect: from run directories to the lines that are to blame. */
#include "export/export.h"
#include "html/html.h"
#include "load.h"
#include "sca_error.h"
#include "sca_options.h"
#include "text.h"
#include "verdict.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_threshold(void *context, const char *value)
{
    return sca_parse_double(value, 1, 1e6, &((struct sca_settings *)context)->abnorm_thd);
}

static int set_min_share(void *context, const char *value)
{
    return sca_parse_double(value, 0, 1, &((struct sca_settings *)context)->min_share);
}

static int set_fail_above(void *context, const char *value)
{
    return sca_parse_double(value, 0, 100, &((struct sca_settings *)context)->fail_above);
}

static int set_top(void *context, const char *value)
{
    unsigned long n;
    int status = sca_parse_uint(value, 0, UINT32_MAX, &n);
    if (status == SCA_OK)
        ((struct sca_settings *)context)->top = (uint32_t)n;
    return status;
}

static int set_loop_depth(void *context, const char *value)
{
    unsigned long n;
    int status = sca_parse_uint(value, 0, 1000, &n);
    if (status == SCA_OK)
        ((struct sca_settings *)context)->max_loop_depth = (uint32_t)n;
    return status;
}

static int set_merge_rank(struct sca_settings *settings, const char *rank)
{
    unsigned long n;
    int status = sca_parse_uint(rank, 0, UINT32_MAX, &n);
    if (status != SCA_OK)
        return status;
    settings->merge = SCA_MERGE_RANK;
    settings->merge_rank = (uint32_t)n;
    return SCA_OK;
}

static int set_merge(void *context, const char *value)
{
    static const char *const names[] = {[SCA_MERGE_MEDIAN] = "median",
                                        [SCA_MERGE_MEAN] = "mean",
                                        [SCA_MERGE_MAX] = "max",
                                        [SCA_MERGE_VARIANCE] = "variance",
                                        [SCA_MERGE_CLUSTER] = "cluster"};
    struct sca_settings *settings = context;
    if (!strncmp(value, "rank:", 5))
        return set_merge_rank(settings, value + 5);
    for (int i = 0; i <= SCA_MERGE_CLUSTER; i++)
        if (names[i] && !strcmp(value, names[i])) {
            settings->merge = (enum sca_merge)i;
            return SCA_OK;
        }
    return sca_fail(SCA_EINVAL, "--merge=%s: median, mean, max, rank:N, variance or cluster",
                    value);
}

static int set_scaling(void *context, const char *value)
{
    struct sca_settings *settings = context;
    if (!strcmp(value, "auto"))
        settings->scaling = SCA_SCALING_AUTO;
    else if (!strcmp(value, "strong"))
        settings->scaling = SCA_SCALING_STRONG;
    else if (!strcmp(value, "weak"))
        settings->scaling = SCA_SCALING_WEAK;
    else
        return sca_fail(SCA_EINVAL, "--scaling=%s: auto, strong or weak", value);
    return SCA_OK;
}

static int set_output(void *context, const char *value)
{
    if (!*value)
        return sca_fail(SCA_EINVAL, "--output needs a file name");
    ((struct sca_settings *)context)->output = value;
    return SCA_OK;
}

static int set_html(void *context, const char *value)
{
    if (!*value)
        return sca_fail(SCA_EINVAL, "--html needs a file name");
    ((struct sca_settings *)context)->html = value;
    return SCA_OK;
}

static int set_export(void *context, const char *value)
{
    struct sca_settings *settings = context;
    if (settings->nexports == SCA_MAX_EXPORTS)
        return sca_fail(SCA_EINVAL, "more than %d times --export", SCA_MAX_EXPORTS);
    settings->exports[settings->nexports++] = value;
    return sca_export_check(value);
}

static const struct sca_option options[] = {
    {"output", 'o', "FILE", "write the report as JSON too (- for standard output)", set_output},
    {"html", 0, "FILE", "write the report as one HTML page too", set_html},
    {"export", 0, "FORMAT:FILE", "caliper, dot, extrap, folded, hatchet, speedscope", set_export},
    {"abnorm-thd", 0, "RATIO", "abnormal from this ratio to the ranks' median (1.3)",
     set_threshold},
    {"merge", 0, "HOW", "median, mean, max, rank:N, variance, cluster (median)", set_merge},
    {"scaling", 0, "MODE", "auto, strong or weak (auto)", set_scaling},
    {"min-share", 0, "FRACTION", "leave out causes that save less (0.01)", set_min_share},
    {"top", 0, "N", "causes shown in the text, 0 for all (5)", set_top},
    {"fail-above", 0, "PERCENT", "exit status 3 if fixing a cause saves more", set_fail_above},
    {"max-loop-depth", 0, "N", "keep loops without MPI to this depth (as compiled)",
     set_loop_depth},
    {0},
};

static const struct sca_command command = {
    .name = "scalana-detect",
    .usage = "scalana-detect [OPTION]... RUN...",
    .summary = "Names the source lines that make an MPI program stop scaling, from its run\n"
               "directories on one or (better) several numbers of ranks.",
    .options = options,
};

static int complain(int exit_status)
{
    fprintf(stderr, "scalana-detect: %s\n", sca_error_message());
    return exit_status;
}

static bool wants_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

static bool is_above(const struct sca_report *report, double percent)
{
    for (uint32_t i = 0; i < report->ncauses; i++)
        if (percent >= 0 && 100 * report->causes[i].gain_share > percent)
            return true;
    return false;
}

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

static int publish(const struct sca_verdict *verdict, const struct sca_settings *settings)
{
    bool to_stdout = is_stdout(settings->output) || is_stdout(settings->html);
    for (uint32_t i = 0; i < settings->nexports; i++)
        to_stdout |= is_stdout(strchr(settings->exports[i], ':') + 1);
    if (!to_stdout && sca_text_print(stdout, verdict, settings, wants_colour()) != SCA_OK)
        return complain(SCA_EXIT_FAILED);
    if (settings->output && sca_report_write(verdict->report, settings->output) != SCA_OK)
        return complain(SCA_EXIT_FAILED);
    if (settings->html && sca_html_write(verdict->report, settings->html) != SCA_OK)
        return complain(SCA_EXIT_FAILED);
    for (uint32_t i = 0; i < settings->nexports; i++)
        if (sca_export_write(verdict->report, settings->exports[i]) != SCA_OK)
            return complain(SCA_EXIT_FAILED);
    return is_above(verdict->report, settings->fail_above) ? SCA_EXIT_ABOVE : SCA_EXIT_OK;
}

static int detect(char *const *directories, uint32_t n, const struct sca_settings *settings)
{
    struct sca_runs runs;
    struct sca_verdict verdict = {0};
    int status = sca_runs_load(directories, n, settings->max_loop_depth, &runs);
    if (status == SCA_OK)
        status = sca_verdict_find(runs.ppg, settings, &verdict);
    int result = status == SCA_OK ? publish(&verdict, settings) : complain(SCA_EXIT_FAILED);
    sca_verdict_free(&verdict);
    sca_runs_free(&runs);
    return result;
}

int main(int argc, char **argv)
{
    struct sca_settings settings = {.abnorm_thd = 1.3,
                                    .min_share = 0.01,
                                    .fail_above = -1,
                                    .top = 5,
                                    .max_loop_depth = SCA_NONE};
    int noperands = 0;
    int parsed = sca_options_parse(&command, &settings, argc, argv, &noperands);
    if (parsed == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (parsed == SCA_PARSE_RUN && noperands == 0)
        parsed = sca_fail(SCA_EINVAL, "no run directory given (see --help)");
    if (parsed < 0)
        return complain(SCA_EXIT_USAGE);
    return detect(argv + 1, (uint32_t)noperands, &settings);
}
