/* Speedup and efficiency of every vertex over the runs: mean time per rank, MPI included, against
 * the smallest run's. */
#include "views/figures.h"
#include "views/weighed.h"
#include "sca_error.h"
#include "report/verdict.h"
#include "views/view.h"

#include <math.h>
#include <string.h>

enum { MOST_SHOWN = 6 }; /* runs that text has room for */

/* Columns before those of the single runs. */
enum {
    LOSS,
    SHARE,
    RANKS,
    SECONDS,
    SPEEDUP,
    EFFICIENCY,
    NRUNS,
    LEAST_SECONDS,
    MOST_SECONDS,
    LEAST_EFFICIENCY,
    MOST_EFFICIENCY,
    FIXED
};

struct sizes { /* numbers of ranks, or of threads in each; rising; runs of one are averaged */
    uint32_t n;
    bool by_threads;
    uint32_t *ranks, *places;          /* per size; places: which of the two is the scale */
    uint32_t *nruns;                   /* per size */
    double **seconds, **least, **most; /* [size][vertex]: per rank; of single runs */
    double *ideal; /* per size: seconds per rank if all scaled perfectly, over the first one's */
};

static uint32_t places_of(const struct sca_ppg *ppg, bool by_threads, uint32_t run)
{
    return by_threads ? ppg->runs[run].threads : ppg->runs[run].nranks;
}

/* Runs [first, end) are on as many. */
static void measure_size(const struct sca_view_input *in, uint32_t first, uint32_t end,
                         struct sizes *sizes)
{
    uint32_t nv = in->ppg->nvertices, ranks = in->ppg->runs[first].nranks, k = sizes->n++;
    double *seconds = sca_workspace_alloc(in->space, nv, sizeof *seconds);
    double *least = sca_workspace_alloc(in->space, nv, sizeof *least);
    double *most = sca_workspace_alloc(in->space, nv, sizeof *most);
    for (uint32_t i = first; i < end; i++) {
        struct sca_figures f;
        sca_figures_replayed(in->space, in->ppg, i, in->waits, &f);
        for (uint32_t v = 0; v < nv; v++) {
            double own = f.inclusive[v] / ranks;
            seconds[v] += own / (end - first);
            least[v] = i == first ? own : fmin(least[v], own);
            most[v] = fmax(most[v], own);
        }
    }
    sizes->ranks[k] = ranks;
    sizes->places[k] = places_of(in->ppg, sizes->by_threads, first);
    sizes->nruns[k] = end - first;
    sizes->seconds[k] = seconds;
    sizes->least[k] = least;
    sizes->most[k] = most;
}

static void measure(const struct sca_view_input *in, struct sizes *sizes)
{
    const struct sca_ppg *ppg = in->ppg;
    sizes->by_threads = sca_ppg_runs_by_threads(&ppg->runs[0], &ppg->runs[ppg->nruns - 1]);
    sizes->ranks = sca_workspace_alloc(in->space, ppg->nruns, sizeof *sizes->ranks);
    sizes->places = sca_workspace_alloc(in->space, ppg->nruns, sizeof *sizes->places);
    sizes->nruns = sca_workspace_alloc(in->space, ppg->nruns, sizeof *sizes->nruns);
    sizes->seconds = sca_workspace_alloc(in->space, ppg->nruns, sizeof *sizes->seconds);
    sizes->least = sca_workspace_alloc(in->space, ppg->nruns, sizeof *sizes->least);
    sizes->most = sca_workspace_alloc(in->space, ppg->nruns, sizeof *sizes->most);
    for (uint32_t first = 0, end; first < ppg->nruns; first = end) {
        uint32_t places = places_of(ppg, sizes->by_threads, first);
        for (end = first; end < ppg->nruns;)
            if (places_of(ppg, sizes->by_threads, end++) != places) {
                end--;
                break;
            }
        measure_size(in, first, end, sizes);
    }
}

/* As the verdict sees it, unless the user says. */
static bool is_weak(const struct sca_view_input *in, bool *open)
{
    struct sca_verdict verdict = {0};
    if (in->settings->scaling != SCA_SCALING_AUTO)
        return in->settings->scaling == SCA_SCALING_WEAK;
    bool weak = sca_verdict_find(in->ppg, in->settings, &verdict) == SCA_OK &&
                !strcmp(verdict.report->scaling_mode, "weak");
    *open = verdict.report && verdict.report->scaling_open;
    sca_verdict_free(&verdict);
    return weak;
}

/* Of all runs of a size, on the mean; 0 if the user told that of none. */
static double work_on(const struct sca_ppg *ppg, const struct sizes *sizes, uint32_t size)
{
    double work = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < ppg->nruns; i++)
        if (places_of(ppg, sizes->by_threads, i) == sizes->places[size]) {
            work += ppg->runs[i].work;
            n++;
        }
    return work / n;
}

/* By the work that was told, or by the mode. Returns what that is called. */
static const char *find_ideal(const struct sca_view_input *in, struct sizes *sizes)
{
    double first = work_on(in->ppg, sizes, 0);
    bool open = false, weak = !(first > 0) && is_weak(in, &open);
    sizes->ideal = sca_workspace_alloc(in->space, sizes->n, sizeof *sizes->ideal);
    for (uint32_t i = 0; i < sizes->n; i++) {
        double fewer = (double)sizes->places[0] / sizes->places[i];
        double more = first > 0 ? work_on(in->ppg, sizes, i) / first : 1;
        sizes->ideal[i] = weak ? 1 : fewer * more;
    }
    if (first > 0)
        return "by the given work";
    if (open)
        return weak ? "assuming weak scaling (uncertain)" : "assuming strong scaling (uncertain)";
    return weak ? "weak scaling" : "strong scaling";
}

/* Cores of a size: a rank has one for each thread. */
static double cores_of(const struct sizes *sizes, uint32_t size)
{
    return (double)sizes->ranks[size] * (sizes->by_threads ? sizes->places[size] : 1);
}

/* Core-seconds of the largest run beyond what the smallest lets one expect. */
static double loss_of(const struct sizes *sizes, uint32_t v)
{
    uint32_t last = sizes->n - 1;
    return cores_of(sizes, last) *
           (sizes->seconds[last][v] - sizes->ideal[last] * sizes->seconds[0][v]);
}

/* Which vertices are shown: those that lose most. */
static bool *choose(const struct sca_view_input *in, const struct sizes *sizes, uint32_t *left_out)
{
    uint32_t n = 0, nv = in->ppg->nvertices;
    struct sca_weighed *all = sca_workspace_alloc(in->space, nv, sizeof *all);
    bool *shown = sca_workspace_alloc(in->space, nv, sizeof *shown);
    for (uint32_t v = 0; v < nv; v++)
        if (sizes->seconds[sizes->n - 1][v] > 0 || sizes->seconds[0][v] > 0)
            all[n++] = (struct sca_weighed){v, loss_of(sizes, v)};
    sca_weighed_sort(all, n);
    for (uint32_t i = 0; i < n; i++)
        if (in->top && i >= in->top)
            ++*left_out;
        else
            shown[all[i].vertex] = true;
    return shown;
}

/* The runs that text shows: the first ones and the last. */
static uint32_t shown_size(const struct sizes *sizes, uint32_t i)
{
    return sizes->n > MOST_SHOWN && i + 1 == MOST_SHOWN ? sizes->n - 1 : i;
}

/* "efficiency in single runs: 4 ranks 0.62 to 0.71 (3 runs)"; NULL: nothing was repeated. */
static const char *describe(const struct sizes *sizes, double *const *series, struct sca_table *out)
{
    const char *text = NULL;
    for (uint32_t i = 0; i < sizes->n; i++) {
        double least = series[LEAST_EFFICIENCY][i], most = series[MOST_EFFICIENCY][i];
        if (sizes->nruns[i] > 1 && !isnan(least))
            text = sca_table_text(out, "%s %u %s %.2f to %.2f (%u runs)",
                                  text ? sca_table_text(out, "%s,", text)
                                       : "efficiency in single runs:",
                                  sizes->places[i], sizes->by_threads ? "threads" : "ranks", least,
                                  most, sizes->nruns[i]);
    }
    return text;
}

/* Seconds of no run: none. */
static double efficiency_of(const struct sizes *sizes, uint32_t size, uint32_t v, double seconds)
{
    double first = sizes->seconds[0][v];
    return first > 0 && seconds > 0 ? first / seconds * sizes->ideal[size] : (double)NAN;
}

static void fill_series(const struct sizes *sizes, uint32_t v, double *const *series)
{
    for (uint32_t i = 0; i < sizes->n; i++) {
        double seconds = sizes->seconds[i][v];
        double speedup = seconds > 0 ? sizes->seconds[0][v] / seconds : (double)NAN;
        series[RANKS][i] = sizes->places[i];
        series[SECONDS][i] = seconds;
        series[SPEEDUP][i] = speedup;
        series[EFFICIENCY][i] = speedup * sizes->ideal[i];
        series[NRUNS][i] = sizes->nruns[i];
        series[LEAST_SECONDS][i] = sizes->least[i][v];
        series[MOST_SECONDS][i] = sizes->most[i][v];
        series[LEAST_EFFICIENCY][i] = efficiency_of(sizes, i, v, sizes->most[i][v]);
        series[MOST_EFFICIENCY][i] = efficiency_of(sizes, i, v, sizes->least[i][v]);
    }
}

static void add_row(const struct sizes *sizes, uint32_t v, struct sca_table *out,
                    struct sca_row *row)
{
    double *series[FIXED] = {0};
    for (uint32_t k = RANKS; k < FIXED; k++) {
        series[k] = sca_workspace_alloc(out->space, sizes->n, sizeof(double));
        row->cells[k] = (struct sca_cell){.series = series[k], .count = sizes->n};
    }
    fill_series(sizes, v, series);
    row->cells[LOSS].number = loss_of(sizes, v);
    double all = sizes->seconds[sizes->n - 1][0] * cores_of(sizes, sizes->n - 1);
    row->cells[SHARE].number = all > 0 ? row->cells[LOSS].number / all : 0;
    bool known = sizes->seconds[0][v] > 0;
    for (uint32_t c = FIXED; c < out->ncolumns; c++)
        row->cells[c].number =
            known ? series[EFFICIENCY][shown_size(sizes, c - FIXED)] : (double)NAN;
    row->detail = describe(sizes, series, out);
}

static void make_columns(const struct sizes *sizes, struct sca_table *out)
{
    static const struct sca_column fixed[FIXED] = {
        [LOSS] = {"loss_core_s", "loss", SCA_CELL_SECONDS},
        [SHARE] = {"loss_share", "share", SCA_CELL_SHARE},
        [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
        [SECONDS] = {"seconds_per_rank", NULL, SCA_CELL_SERIES},
        [SPEEDUP] = {"speedup", NULL, SCA_CELL_SERIES},
        [EFFICIENCY] = {"efficiency", NULL, SCA_CELL_SERIES},
        [NRUNS] = {"runs", NULL, SCA_CELL_SERIES},
        [LEAST_SECONDS] = {"least_seconds_per_rank", NULL, SCA_CELL_SERIES},
        [MOST_SECONDS] = {"most_seconds_per_rank", NULL, SCA_CELL_SERIES},
        [LEAST_EFFICIENCY] = {"least_efficiency", NULL, SCA_CELL_SERIES},
        [MOST_EFFICIENCY] = {"most_efficiency", NULL, SCA_CELL_SERIES},
    };
    uint32_t n = sizes->n < MOST_SHOWN ? sizes->n : MOST_SHOWN;
    struct sca_column *columns = sca_workspace_alloc(out->space, FIXED + n, sizeof *columns);
    memcpy(columns, fixed, sizeof fixed);
    columns[RANKS].key = sizes->by_threads ? "threads" : "ranks";
    for (uint32_t i = 0; i < n; i++) {
        const char *head = sca_table_text(out, "%u", sizes->places[shown_size(sizes, i)]);
        columns[FIXED + i] =
            (struct sca_column){sca_table_text(out, "efficiency_%s", head), head, SCA_CELL_RATIO};
    }
    out->columns = columns;
    out->ncolumns = FIXED + n;
}

void sca_view_efficiency(const struct sca_view_input *in, struct sca_table *out)
{
    struct sizes sizes = {0};
    measure(in, &sizes);
    const char *scaling = find_ideal(in, &sizes);
    make_columns(&sizes, out);
    bool *shown = choose(in, &sizes, &out->left_out);
    out->title = sca_table_text(out,
                                "%s: efficiency on each number of %s, %s; loss of the "
                                "largest run in core-s",
                                in->ppg->program, sizes.by_threads ? "threads" : "ranks", scaling);
    for (uint32_t v = 0; v < in->ppg->nvertices; v++) {
        if (!shown[v])
            continue;
        struct sca_row *row = sca_table_row(out, &in->ppg->vertices[v]);
        row->depth = sca_weighed_depth(in->ppg, shown, v);
        add_row(&sizes, v, out, row);
    }
    if (sizes.n < 2)
        sca_table_note(
            out,
            "Efficiency compares several numbers of ranks, or of threads; these runs have one.");
}
