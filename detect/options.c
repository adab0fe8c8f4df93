/* What the user may ask of scalana-detect: parser, --help, manual page and completions. */
#include "base/settings.h"
#include "library/option_values.h"
#include "sca_error.h"
#include "sca_options.h"

#include <string.h>

static int set_fail_above(void *context, const char *value)
{
    return sca_options_parse_double(value, 0, 100, &((struct sca_settings *)context)->fail_above);
}

static int set_top(void *context, const char *value)
{
    return sca_option_values_number(value, UINT32_MAX, &((struct sca_settings *)context)->top);
}

static int set_file(const char *option, const char *value, const char **out)
{
    if (!*value)
        return sca_fail(SCA_EINVAL, "--%s needs a file name", option);
    *out = value;
    return SCA_OK;
}

static int set_output(void *context, const char *value)
{
    return set_file("output", value, &((struct sca_settings *)context)->output);
}

static int set_html(void *context, const char *value)
{
    return set_file("html", value, &((struct sca_settings *)context)->html);
}

static int set_export(void *context, const char *value)
{
    struct sca_settings *settings = context;
    if (settings->nexports == SCA_MAX_EXPORTS)
        return sca_fail(SCA_EINVAL, "more than %d times --export", SCA_MAX_EXPORTS);
    settings->exports[settings->nexports++] = value;
    return SCA_OK;
}

static int set_no_cache(void *context, const char *value)
{
    (void)value;
    ((struct sca_settings *)context)->no_cache = true;
    return SCA_OK;
}

static int set_word(const char *option, const char *value, const char **out)
{
    if (!*value)
        return sca_fail(SCA_EINVAL, "--%s needs a value", option);
    *out = value;
    return SCA_OK;
}

static int set_symfs(void *context, const char *value)
{
    return set_word("symfs", value, &((struct sca_settings *)context)->symfs);
}

static int set_since(void *context, const char *value)
{
    return set_word("since", value, &((struct sca_settings *)context)->since);
}

static int set_view(void *context, const char *value)
{
    ((struct sca_settings *)context)->view = value;
    return SCA_OK;
}

static int set_metric(void *context, const char *value)
{
    return set_word("metric", value, &((struct sca_settings *)context)->metric);
}

static int set_root(void *context, const char *value)
{
    return set_word("root", value, &((struct sca_settings *)context)->root);
}

static int set_ranks(void *context, const char *value)
{
    return set_word("ranks", value, &((struct sca_settings *)context)->ranks);
}

static int set_topology(void *context, const char *value)
{
    return set_word("topology", value, &((struct sca_settings *)context)->topology);
}

static int set_fold(void *context, const char *value)
{
    return set_word("fold", value, &((struct sca_settings *)context)->fold);
}

static int set_slice(void *context, const char *value)
{
    return set_word("slice", value, &((struct sca_settings *)context)->slice);
}

static int set_stop(void *context, const char *value)
{
    return sca_options_parse_double(value, 0.01, 1, &((struct sca_settings *)context)->stop);
}

static int set_threshold(void *context, const char *value)
{
    return sca_options_parse_double(value, 0, 1e300, &((struct sca_settings *)context)->threshold);
}

/* Which of the words, with spaces between, `value` is. */
static int choose_word(const char *value, const char *const *words, uint32_t n, uint32_t *out)
{
    for (*out = 0; *out < n; ++*out)
        if (!strcmp(words[*out], value))
            return SCA_OK;
    return sca_fail(SCA_EINVAL, "'%s' is none of its choices", value);
}

static int set_per(void *context, const char *value)
{
    static const char *const words[] = {"place", "path"};
    uint32_t chosen = 0;
    int status = choose_word(value, words, 2, &chosen);
    ((struct sca_settings *)context)->by_path = chosen == 1;
    return status;
}

static int set_method(void *context, const char *value)
{
    static const char *const words[] = {"pearson", "spearman", "kendall"};
    uint32_t chosen = 0;
    int status = choose_word(value, words, 3, &chosen);
    if (status == SCA_OK)
        ((struct sca_settings *)context)->method = (enum sca_method)chosen;
    return status;
}

static int set_pairwise(void *context, const char *value)
{
    return set_word("pairwise", value, &((struct sca_settings *)context)->pairwise);
}

static const struct sca_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "write the report as JSON too (- for standard output)",
     .set = set_output,
     .detail = "scalana-viewer and scripts read it; its fields are described in scalana(7). With "
               "\"-\" the text report is not printed."},
    {.name = "html",
     .argument = "FILE",
     .help = "write the report as one HTML page too",
     .set = set_html,
     .detail =
         "The page needs no network and no other file. Sources are read when it is written. Its "
         "explorer, which needs script, has metrics, calling contexts and ranks side by side."},
    {.name = "export",
     .argument = "FORMAT:FILE",
     .help = "caliper, dot, extrap, folded, hatchet, psg, speedscope",
     .set = set_export,
     .choices = "caliper: dot: extrap: folded: hatchet: psg: speedscope:",
     .detail =
         "Writes the figures for another tool, up to 16 times.\n"
         "caliper: json-split for Caliper, with every metric of each rank; Hatchet reads it too.\n"
         "dot: the performance graph, ranks side by side, with the causes and their paths, for "
         "Graphviz.\n"
         "extrap: JSON lines for Extra-P.\n"
         "folded: stacks for flame graphs.\n"
         "hatchet: literal for Hatchet, with every metric, over all ranks.\n"
         "psg: the program structure graph as it ran, with its times, for Graphviz.\n"
         "speedscope: one profile per rank."},
    {
        .name = "view",
        .argument = "VIEW",
        .help = "hotpath, flat, callgraph, imbalance, efficiency, diff, correlation, findings, "
                "metrics, critical, topology, system, variability, paths, scaling instead",
        .set = set_view,
        .choices = "hotpath flat callgraph imbalance efficiency diff correlation findings metrics "
                   "critical topology system variability paths scaling",
        .detail =
            "Answers another question than the cause, as text, or with -o FILE as JSON. Of several "
            "runs the largest counts.\n"
            "hotpath: from main down to where the time spreads, MPI included.\n"
            "flat: own time of each place in the source, over all call paths.\n"
            "callgraph: for each function who calls it and what it calls.\n"
            "imbalance: how much the ranks differ in each place: slowest ranks, percentiles, "
            "histogram.\n"
            "efficiency: speedup and efficiency of each place over the runs, and how far several "
            "on "
            "the same number of ranks differ.\n"
            "variability: of several runs on the same number of ranks, which places make the slow "
            "ones slow.\n"
            "diff: two runs, before and after, also of two builds. Either may be a report written "
            "with -o, when the binary of that run is gone.\n"
            "correlation: whether ranks that take longer in a place wait less, send more, or have "
            "higher counters.\n"
            "scaling: how each metric goes with the number of ranks, counters too, or of one "
            "(--metric) where it grows: the power of the ranks with its 95 % interval.\n"
            "paths: all backtracking paths, step by step: from calls where ranks wait and what "
            "does "
            "not scale or is abnormal back to the computation that made them late.\n"
            "findings: all that was found, with its evidence: causes, what notes tell, and what is "
            "not believed, with the reason.\n"
            "metrics: every metric of the largest run, or of one (--metric) the call tree with its "
            "values and their spread over the ranks.\n"
            "critical: the critical path by place: time, share, and what is lost against a run in "
            "which the ranks are balanced.\n"
            "topology: maps of the ranks, at their places in a Cartesian or other topology: "
            "computation, waiting and delay cost side by side, or one metric (--metric).\n"
            "system: the tree of the hardware, from the machine by host, package and core down to "
            "the ranks as they were bound, with the same metrics.",
    },
    {.name = "metric",
     .argument = "METRIC",
     .help = "of views of metrics and of stacks: waiting",
     .set = set_metric,
     .detail = "Which metric --view=metrics, hotpath, imbalance, topology, system and scaling "
               "show, and the "
               "stacks of the exports "
               "folded (seconds as microseconds) and speedscope count instead of time. Without it, "
               "--view=metrics lists all of them with what they mean, scaling how they grow, "
               "hotpath shows time and imbalance "
               "computation. Hardware counters have the names of "
               "SCALANA_EVENTS."},
    {.name = "root",
     .argument = "CONTEXT",
     .help = "of views of metrics, only what is below it",
     .set = set_root,
     .detail = "FILE:LINE, the name of a function, or the number of a vertex in the report. Where "
               "several contexts have it, all of them; a hot path begins at the heaviest."},
    {.name = "stop",
     .argument = "PART",
     .help = "of hotpath: ends where no call has as much (0.5)",
     .set = set_stop,
     .detail = "The path goes on while the heaviest call has that part of its caller's metric."},
    {.name = "threshold",
     .argument = "VALUE",
     .help = "of imbalance: leave out what no rank has more of",
     .set = set_threshold,
     .detail = "In the unit of the metric: seconds of computation without --metric."},
    {.name = "per",
     .argument = "WHAT",
     .help = "of imbalance: a row for each place or path (place)",
     .set = set_per,
     .choices = "place path",
     .detail = "A place in the source has what all call paths to it have together. What is uneven "
               "along one path may be even over all of them."},
    {.name = "method",
     .argument = "HOW",
     .help = "of correlation: pearson, spearman, kendall",
     .set = set_method,
     .choices = "pearson spearman kendall",
     .detail = "Pearson's coefficient (the usual one) tells how well a straight line fits, "
               "Spearman's and Kendall's how well the order of the ranks agrees: one rank far out "
               "does not decide those."},
    {.name = "pairwise",
     .argument = "METRIC,METRIC",
     .help = "of correlation: the second by the first, by context",
     .set = set_pairwise,
     .detail = "For each context a line through the ranks' values, and the ranks that are off it, "
               "by number. Metrics are those of --view=metrics."},
    {.name = "ranks",
     .argument = "SET",
     .help = "of views of metrics, these ranks only: 0-3,7",
     .set = set_ranks,
     .detail = "Numbers and ranges, with commas between."},
    {.name = "topology",
     .argument = "TOPOLOGY",
     .help = "of --view=topology: a name, a number, or a file",
     .set = set_topology,
     .detail =
         "Which of the run's topologies, by name or by its number in the list that the view ends "
         "with, or one of your own: a file with a line for each rank, its number and its "
         "coordinates, with blanks or commas between. A first line \"rank,x,y\" names the "
         "dimensions; what follows a \"#\" is a comment. Without it, the one of most ranks."},
    {.name = "fold",
     .argument = "ROWS/COLUMNS",
     .help = "of --view=topology, dimensions along each: x,z/y",
     .set = set_fold,
     .detail = "By name or by number from 0, the one that changes slowest first. All that are not "
               "sliced must be there. Without it, the map is as near to a square as it goes."},
    {.name = "slice",
     .argument = "DIMENSION=N,...",
     .help = "of --view=topology, only the places there: z=0",
     .set = set_slice,
     .detail = "Shows the ranks that have this coordinate in the dimension, of the others none."},
    {.name = "abnorm-thd",
     .argument = "RATIO",
     .help = "abnormal from this ratio to the ranks' median (1.3)",
     .set = sca_option_values_abnorm_thd,
     .detail = "A rank is abnormal in a place that costs it this many times the median rank's "
               "time, beyond what sampling noise and slow cores explain. Where ranks share "
               "cores it is raised to up to 1.5, by how much ordinary ranks of the run differ."},
    {.name = "merge",
     .argument = "HOW",
     .help = "median, mean, max, rank:N, variance, cluster (median)",
     .set = sca_option_values_merge,
     .choices = "median mean max rank: variance cluster",
     .detail = "How the ranks' times of a place become the one number per run that the scaling "
               "models are fitted to."},
    {.name = "scaling",
     .argument = "MODE",
     .help = "auto, strong or weak (auto)",
     .set = sca_option_values_scaling,
     .choices = "auto strong weak",
     .detail = "Strong: the same problem on more ranks, time per rank should go with 1/P. Weak: "
               "the problem grows with the ranks, time per rank should stay. Auto decides by the "
               "computation of the runs, or leaves it open where that fits neither: then growth "
               "that is one in one of the two readings only is told in a note."},
    {.name = "work",
     .argument = "N,N,...",
     .help = "problem size of each run, in the order of the runs",
     .set = sca_option_values_work,
     .detail = "Positive numbers in any unit, one for each RUN as given. Time per rank should then "
               "go with work per rank, and nobody has to guess whether the problem grows with the "
               "ranks. Does not go with --scaling=strong or --scaling=weak."},
    {.name = "min-share",
     .argument = "FRACTION",
     .help = "leave out causes that save less (0.01)",
     .set = sca_option_values_min_share,
     .detail = "Of ranks times wall time of the largest run. What a cause saves must be more "
               "with 95 % confidence."},
    {.name = "top",
     .argument = "N",
     .help = "causes or rows shown in the text, 0 for all (5, 20)",
     .set = set_top,
     .detail = "JSON and HTML have all of them."},
    {.name = "fail-above",
     .argument = "PERCENT",
     .help = "exit status 3 if fixing a cause saves more",
     .set = set_fail_above,
     .detail = "For use in automatic tests: the report is written all the same."},
    {.name = "max-loop-depth",
     .argument = "N",
     .help = "keep loops without MPI to this depth (as compiled)",
     .set = sca_option_values_max_loop_depth,
     .detail = "Deeper loops are merged into the computation around them."},
    {.name = "since",
     .argument = "SNAPSHOT",
     .help = "leave out what came before this snapshot of the run",
     .set = set_since,
     .detail =
         "A snapshot is a folder that scalana-live --snapshot or SCALANA_SNAPSHOT made. Of two "
         "snapshots, give the later one as the run. Goes with one run."},
    {.name = "symfs",
     .argument = "DIR",
     .help = "look for the program and its libraries below DIR, too",
     .set = set_symfs,
     .detail = "As DIR/PATH, with the path that the run recorded, as DIR/NAME, and by build-id as "
               "DIR/.build-id/xx/yyyy; debug files likewise. A file is taken if its build-id is "
               "that of the run. Without the option, files are looked for where they ran, beside "
               "the run directory and in it, in the working directory, in what the run kept "
               "(SCALANA_KEEP), and at the servers of DEBUGINFOD_URLS."},
    {.name = "no-cache",
     .help = "recover the structure of binaries anew",
     .set = set_no_cache,
     .detail = "Loops of code that was not compiled with scalana-static are recovered from machine "
               "code, once for each build: they are kept in $XDG_CACHE_HOME/scalana/structure or "
               "~/.cache/scalana/structure, at most 256 MB."},
    {0},
};

const struct sca_command sca_detect_command = {
    .name = "scalana-detect",
    .usage = "scalana-detect [OPTION]... RUN...",
    .summary = "Names the source lines that make an MPI program stop scaling, from its run "
               "directories on one or (better) several numbers of ranks.",
    .options = options,
    .operand = "directory",
};
