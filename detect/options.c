/* What the user may ask of scalana-detect: parser, --help, manual page and completions. */
#include "base/settings.h"
#include "library/option_values.h"
#include "sca_error.h"
#include "sca_options.h"

#include <stdio.h>
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

static int set_timelines(void *context, const char *value)
{
    (void)value;
    ((struct sca_settings *)context)->timelines = true;
    return SCA_OK;
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
    return sca_fail(SCA_EINVAL, "'%s' is not one of its choices", value);
}

static int set_per(void *context, const char *value)
{
    static const char *const words[] = {"place", "path"};
    uint32_t chosen = 0;
    int status = choose_word(value, words, 2, &chosen);
    ((struct sca_settings *)context)->by_path = chosen == 1;
    return status;
}

static int set_by(void *context, const char *value)
{
    static const char *const words[] = {"rank", "thread"};
    uint32_t chosen = 0;
    int status = choose_word(value, words, 2, &chosen);
    ((struct sca_settings *)context)->by_thread = chosen == 1;
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

static int set_format(void *context, const char *value)
{
    static const char *const words[] = {"text", "json", "csv"};
    uint32_t chosen = 0;
    int status = choose_word(value, words, 3, &chosen);
    if (status == SCA_OK)
        ((struct sca_settings *)context)->format = (enum sca_format)(chosen + SCA_FORMAT_TEXT);
    return status;
}

static int set_pairwise(void *context, const char *value)
{
    return set_word("pairwise", value, &((struct sca_settings *)context)->pairwise);
}

static int set_rank(void *context, const char *value)
{
    return sca_option_values_number(value, UINT32_MAX - 1, &((struct sca_settings *)context)->rank);
}

static int set_classes(void *context, const char *value)
{
    return sca_option_values_number(value, UINT32_MAX, &((struct sca_settings *)context)->classes);
}

/* "200:400", "200:", ":400". */
static int set_iterations(void *context, const char *value)
{
    struct sca_settings *settings = context;
    const char *colon = strchr(value, ':');
    char first[16] = "1";
    if (!colon || colon - value >= (ptrdiff_t)sizeof first || (colon == value && !colon[1]))
        return sca_fail(SCA_EINVAL, "\"%s\" is no range FROM:TO", value);
    if (colon > value)
        snprintf(first, sizeof first, "%.*s", (int)(colon - value), value);
    settings->last_iteration = UINT32_MAX;
    int status = sca_option_values_number(first, UINT32_MAX - 1, &settings->first_iteration);
    if (status == SCA_OK && colon[1])
        status = sca_option_values_number(colon + 1, UINT32_MAX, &settings->last_iteration);
    if (status == SCA_OK && settings->first_iteration > settings->last_iteration)
        return sca_fail(SCA_EINVAL, "\"%s\" ends before it begins", value);
    return status;
}

static int set_contract(void *context, const char *value)
{
    return sca_options_parse_double(value, 0, 1, &((struct sca_settings *)context)->contract);
}

static int set_loop(void *context, const char *value)
{
    return set_word("loop", value, &((struct sca_settings *)context)->loop);
}

static const struct sca_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "also write the report as JSON (- for standard output)",
     .set = set_output,
     .detail = "scalana-viewer and scripts read it; scalana(7) describes its fields. With \"-\" "
               "the text report is not printed."},
    {.name = "html",
     .argument = "FILE",
     .help = "also write the report as one HTML page",
     .set = set_html,
     .detail =
         "The page needs no network and no other file; it includes the sources. Its explorer, "
         "which needs JavaScript, shows metrics, calling contexts and ranks side by side."},
    {.name = "timelines",
     .help = "the JSON report has the timelines for scalana-viewer, too",
     .set = set_timelines,
     .detail =
         "Recorded iterations as ranks by virtual time: up to three, each also with the first "
         "cause mended. They may add several 100 KB."},
    {.name = "export",
     .argument = "FORMAT:FILE",
     .help = "caliper, dot, extrap, folded, graphml, hatchet, otf2, perfetto, ppg, psg, ptag, "
             "speedscope, tag",
     .set = set_export,
     .choices = "caliper: dot: extrap: folded: graphml: hatchet: otf2: perfetto: ppg: psg: ptag: "
                "speedscope: tag:",
     .detail =
         "Writes the figures for another tool, up to 16 times.\n"
         "caliper: json-split for Caliper, with every metric of each rank; Hatchet reads it too.\n"
         "dot: the performance graph, ranks side by side, with the causes and their paths, for "
         "Graphviz.\n"
         "extrap: JSON lines for Extra-P.\n"
         "folded: stacks for flame graphs.\n"
         "graphml: the task activity graphs of all ranks, with messages, for yEd, networkx and "
         "igraph.\n"
         "hatchet: literal for Hatchet, with every metric, over all ranks.\n"
         "otf2: a folder with an OTF2 archive of the recorded iterations, in virtual time, for "
         "Vampir "
         "and Scalasca.\n"
         "perfetto: a trace of the recorded iterations, for ui.perfetto.dev, in virtual time: each "
         "rank's computation and calls, messages as flows, the critical path.\n"
         "ppg: the performance graph of all ranks, with messages and the order of the program.\n"
         "psg: the program structure graph as it ran, with its times, for Graphviz.\n"
         "ptag: as graphml, in the format that the file's name ends in: .dot, .graphml or .svg, "
         "like ppg and tag.\n"
         "speedscope: one profile per rank.\n"
         "tag: the task activity graph of one rank (--rank)."},
    {.name = "contract",
     .argument = "PART",
     .help = "in ppg, ptag, tag: contract what takes less (0.01)",
     .set = set_contract,
     .detail = "Places in the program that follow each other and take less than this part of the "
               "time on all ranks become one. 0 shows all of them. GraphML has all by default."},
    {
        .name = "view",
        .argument = "VIEW",
        .help =
            "hotpath, flat, callgraph, imbalance, efficiency, diff, correlation, findings, "
            "metrics, critical, topology, system, variability, paths, scaling. Also communication, "
            "messages, locks, regions, path, timeline, series, tag, ptag, classes, advice instead",
        .set = set_view,
        .choices =
            "hotpath flat callgraph imbalance efficiency diff correlation findings metrics "
            "critical topology system variability paths scaling communication messages locks "
            "regions path timeline series tag ptag classes advice",
        .detail =
            "Answers another question than the cause, as text, or with -o FILE as JSON. Of several "
            "runs the view shows the largest.\nhotpath: from main down to where the time spreads, "
            "MPI included.\nflat: own time of each place in the source, over all call "
            "paths.\ncallgraph: callers and callees of each function.\nimbalance: differences "
            "between the ranks in each place: slowest ranks, percentiles, histogram.\nefficiency: "
            "speedup and efficiency of each place over the runs, and the variation between "
            "repetitions.\nvariability: of several runs on the same number of ranks, the places "
            "that make the slow ones slow.\ndiff: two runs, before and after, also of two builds. "
            "Either may be a report written with -o, when the binary of that run is "
            "gone.\ncorrelation: whether ranks that take longer in a place wait less, send more, "
            "or have higher counters.\nscaling: how each metric grows with the number of ranks, "
            "counters too, or where one metric (--metric) grows. The growth is a power of the "
            "ranks with its 95 % interval.\npaths: all backtracking paths, step by step. They lead "
            "from calls where ranks wait, and from places that do not scale or are abnormal, to "
            "the computation that made ranks late.\nfindings: all findings with their evidence: "
            "causes, notes, and rejected findings with the reason.\nmetrics: every metric of the "
            "largest run. With --metric, the call tree with that metric's values and their spread "
            "over the ranks.\ncritical: the critical path by place: time, share, and the loss "
            "against a balanced run.\ntopology: maps of the ranks in a Cartesian or other "
            "topology. Computation, waiting and delay cost stand side by side, or one metric "
            "(--metric).\nsystem: the hardware tree, from the machine by host, package and core "
            "down to the bound ranks, with the same metrics.\ncommunication: who sends to whom: "
            "the matrix of messages and bytes between ranks, and the pairs of ranks with most "
            "bytes.\nmessages: of each MPI call the numbers, sizes and durations of messages and "
            "collectives, and all message sizes in classes.\nlocks: where threads "
            "of a rank wait for locks, and where others have these.\nregions: parallel regions of "
            "OpenMP: time, uneven threads, locks, tasks that depend on each other, and what "
            "ranks do outside.\npath: the causal path of a "
            "loop "
            "(--loop). For each kind of iterations it lists the computations and calls that "
            "determine their duration, across ranks.\ntimeline: ranks by virtual "
            "time in representative, slow and rare recorded iterations: computation, waiting, and "
            "the "
            "critical path.\nseries: "
            "the iterations of the main "
            "loop "
            "over time: own time, time in MPI, memory, and the slowest rank. Steps, drifts, "
            "recurring iterations and warm-up are named, and similar iterations form clusters. "
            "Of several runs each is shown.\n"
            "tag: the task activity graph of one rank (--rank). It has MPI calls by context, the "
            "computation between them, loops with their iterations, requests from start to "
            "completion, and messages from call to call.\n"
            "ptag: the same of all ranks. Ranks with the same graph are one class.\n"
            "classes: ranks by behaviour. Those with the same graph and similar computation are "
            "one class, named where the pattern is known: master, worker, corner, border, "
            "interior, idle.\n"
            "advice: what may help in addition to the causes, with what it saves at most. It looks "
            "for "
            "small messages, receives posted late, transfers that could overlap, loops bound by "
            "messages, and workers that fit a master.",
    },
    {.name = "format",
     .argument = "FORMAT",
     .help = "of views: text, json, csv",
     .set = set_format,
     .choices = "text json csv",
     .detail = "How a view is written, to -o FILE or else to standard output. Without it a view is "
               "text, or with -o FILE JSON. CSV has a row for each of the view's, all of them, and "
               "columns named as in the JSON, with the unit behind the name."},
    {.name = "metric",
     .argument = "METRIC",
     .help = "of views of metrics and of stacks: waiting",
     .set = set_metric,
     .detail = "The metric that --view=metrics, hotpath, imbalance, topology, system and scaling "
               "show. The stacks of the exports folded (seconds as microseconds) and speedscope "
               "count it instead of time. Without it, --view=metrics lists all metrics with their "
               "meaning, and scaling their growth; hotpath shows time, imbalance computation. "
               "Hardware counters have the names of SCALANA_EVENTS."},
    {.name = "root",
     .argument = "CONTEXT",
     .help = "in views of metrics, only contexts below this one",
     .set = set_root,
     .detail = "FILE:LINE, the name of a function, or the number of a vertex in the report. "
               "Several contexts may match; a hot path begins at the heaviest."},
    {.name = "stop",
     .argument = "PART",
     .help = "in hotpath: the path ends below this share (0.5)",
     .set = set_stop,
     .detail = "The path goes on while the heaviest call has that part of its caller's metric."},
    {.name = "threshold",
     .argument = "VALUE",
     .help = "in imbalance: omit rows below this on every rank",
     .set = set_threshold,
     .detail = "In the unit of the metric: seconds of computation without --metric."},
    {.name = "per",
     .argument = "WHAT",
     .help = "in imbalance: a row for each place or path (place)",
     .set = set_per,
     .choices = "place path",
     .detail = "A place in the source sums all call paths to it. Imbalance along one path may "
               "vanish in the sum."},
    {.name = "by",
     .argument = "WHAT",
     .help = "in metrics and locks: of ranks or threads (rank)",
     .set = set_by,
     .choices = "rank thread",
     .detail = "Of metrics that samples tell: quantiles over all threads, and the busiest. Of "
               "locks: which thread waited for which."},
    {.name = "method",
     .argument = "HOW",
     .help = "in correlation: pearson, spearman, kendall",
     .set = set_method,
     .choices = "pearson spearman kendall",
     .detail = "Pearson's coefficient (the default) measures how well a straight line fits. "
               "Spearman's and Kendall's compare the order of the ranks, and a single outlier does "
               "not decide them."},
    {.name = "pairwise",
     .argument = "METRIC,METRIC",
     .help = "in correlation: the second by the first, by context",
     .set = set_pairwise,
     .detail = "For each context a line through the ranks' values, and the numbers of the ranks "
               "off that line. Metrics are those of --view=metrics."},
    {.name = "loop",
     .argument = "FILE:LINE",
     .help = "in --view=path, the loop whose iterations are shown",
     .set = set_loop,
     .detail = "Of several loops in one line, FILE:LINE#2 is the second, the outermost first."},
    {.name = "iterations",
     .argument = "FROM:TO",
     .help = "in --view=series, only these iterations",
     .set = set_iterations,
     .detail =
         "From 1 on; either may be left out. Clusters and efficiencies are then those of these "
         "iterations. Of a point that holds several neighbours all are shown. Named phases "
         "stay those of the whole run."},
    {.name = "classes",
     .argument = "N",
     .help = "in --view=classes, divide ranks into N classes",
     .set = set_classes,
     .detail = "The class whose ranks spread most is divided first. Classes that differ by graph "
               "or clearly by times are not united."},
    {.name = "rank",
     .argument = "N",
     .help = "in --view=tag, the rank whose graph is shown (0)",
     .set = set_rank,
     .detail = "A number from 0, as in MPI_COMM_WORLD."},
    {.name = "ranks",
     .argument = "SET",
     .help = "in views of metrics, only these ranks: 0-3,7",
     .set = set_ranks,
     .detail = "Numbers and ranges, separated by commas."},
    {.name = "topology",
     .argument = "TOPOLOGY",
     .help = "in --view=topology: a name, a number, or a file",
     .set = set_topology,
     .detail = "A topology of the run, by name or by its number in the list at the end of the "
               "view, or a file. The file has a line per rank: its number and its coordinates, "
               "separated by blanks or commas. A first line \"rank,x,y\" names the dimensions; "
               "\"#\" begins a comment. The default is the topology with most ranks."},
    {.name = "fold",
     .argument = "ROWS/COLUMNS",
     .help = "in --view=topology, dimensions along each: x,z/y",
     .set = set_fold,
     .detail = "By name or by number from 0, the slowest first. It must list every dimension that "
               "is not sliced. By default the map is as square as possible."},
    {.name = "slice",
     .argument = "DIMENSION=N,...",
     .help = "in --view=topology, only these places: z=0",
     .set = set_slice,
     .detail = "Shows only the ranks with this coordinate in the dimension."},
    {.name = "abnorm-thd",
     .argument = "RATIO",
     .help = "abnormal from this ratio to the ranks' median (1.3)",
     .set = sca_option_values_abnorm_thd,
     .detail = "A rank is abnormal in a place that costs it this many times the median rank's "
               "time, beyond sampling noise and slow cores. On shared cores the ratio rises to up "
               "to 1.5, depending on the variation between ordinary ranks."},
    {.name = "merge",
     .argument = "HOW",
     .help = "median, mean, max, rank:N, variance, cluster (median)",
     .set = sca_option_values_merge,
     .choices = "median mean max rank: variance cluster",
     .detail =
         "How the ranks' times of a place become the one number per run for the scaling models."},
    {.name = "scaling",
     .argument = "MODE",
     .help = "auto, strong or weak (auto)",
     .set = sca_option_values_scaling,
     .choices = "auto strong weak",
     .detail = "Strong: the same problem on more ranks; ideal time per rank shrinks as 1/P. Weak: "
               "the problem grows with the ranks; ideal time per rank is constant. Auto decides by "
               "the runs' computation, or leaves it open where neither fits. Growth in only one of "
               "the two modes is then reported in a note."},
    {.name = "work",
     .argument = "RANKS:N,...",
     .help = "problem size of each run: 6:600,12:1200",
     .set = sca_option_values_work,
     .detail = "Positive numbers in any unit, each with the number of ranks that it was run on. "
               "Without ranks (N,N,...) there is one for each RUN in the given order; a shell "
               "sorts run-12p before run-6p. Ideal time per rank then follows work per rank, and "
               "the scaling mode need not be guessed. Excludes --scaling=strong and "
               "--scaling=weak."},
    {.name = "min-share",
     .argument = "FRACTION",
     .help = "omit causes that save less (0.01)",
     .set = sca_option_values_min_share,
     .detail = "A share of ranks times wall time of the largest run. A cause must save more than "
               "that with 95 % confidence."},
    {.name = "top",
     .argument = "N",
     .help = "causes or rows shown in the text, 0 for all (5, 20)",
     .set = set_top,
     .detail = "JSON and HTML have all of them."},
    {.name = "fail-above",
     .argument = "PERCENT",
     .help = "exit status 3 if fixing a cause saves more",
     .set = set_fail_above,
     .detail = "For automatic tests. The report is still written."},
    {.name = "max-loop-depth",
     .argument = "N",
     .help = "keep loops without MPI to this depth (as compiled)",
     .set = sca_option_values_max_loop_depth,
     .detail = "Deeper loops become part of the computation around them."},
    {.name = "since",
     .argument = "SNAPSHOT",
     .help = "leave out what came before this snapshot of the run",
     .set = set_since,
     .detail =
         "A snapshot is a folder that scalana-live --snapshot or SCALANA_SNAPSHOT made. Of two "
         "snapshots, give the later one as the run. Goes with one run."},
    {.name = "symfs",
     .argument = "DIR",
     .help = "also search below DIR for the program and libraries",
     .set = set_symfs,
     .detail = "As DIR/PATH, with the path that the run recorded, as DIR/NAME, and by build-id as "
               "DIR/.build-id/xx/yyyy; debug files likewise. A file is used if its build-id "
               "matches the run. The search covers the recorded path, the run directory and its "
               "parent, and the working directory. It then covers what the run kept "
               "(SCALANA_KEEP), and the servers of DEBUGINFOD_URLS."},
    {.name = "no-cache",
     .help = "recover the structure of binaries again",
     .set = set_no_cache,
     .detail = "Loops of code that scalana-static did not compile are recovered from machine code, "
               "once per build. A cache of at most 256 MB keeps them in "
               "$XDG_CACHE_HOME/scalana/structure or ~/.cache/scalana/structure."},
    {0},
};

const struct sca_command sca_detect_command = {
    .name = "scalana-detect",
    .usage = "scalana-detect [OPTION]... RUN...",
    .summary = "Names the source lines that stop an MPI program from scaling. It reads run "
               "directories of one or, better, several numbers of ranks.",
    .options = options,
    .operand = "directory",
};
