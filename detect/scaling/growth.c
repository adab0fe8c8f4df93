#include "scaling/growth.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "measure/off_cpu.h"
#include "measure/thread_work.h"
#include "scaling/scaling_mode.h"
#include "stats/over_ranks.h"
#include "stats/merge_ranks.h"

#include <math.h>
#include <stdlib.h>

struct analysis {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_measure *runs;
    uint32_t nruns;
    const uint32_t *ends;
    const struct sca_settings *settings;
    const struct sca_comparable *comparable;
    enum sca_scaling mode;
    bool open; /* the mode is one of two readings */
    double *x, *y, *row;
    double *slope, *weight; /* of the vertices' own computation; weight 0: no slope */
    const double *off_cpu; /* per vertex, in the largest run; NULL where its ranks shared nothing */
};

/* What the runs have to compare of a vertex: on return it stands in a->row. */
static double total_of(const struct analysis *a, uint32_t run, bool inclusive, uint32_t v)
{
    sca_comparable_row(a->comparable, run, v, inclusive, a->row);
    return sca_over_ranks_sum(a->row, a->runs[run].nranks);
}

static double squared_noise(const struct sca_measure *m, uint32_t v)
{
    double sum = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        double noise = m->noise[(size_t)v * m->nranks + r];
        sum += noise * noise;
    }
    return sum;
}

static double scatter_of(const struct sca_measure *m, uint32_t v)
{
    double total = sca_over_ranks_sum(m->inclusive + (size_t)v * m->nranks, m->nranks);
    return total > 0 ? sqrt(squared_noise(m, v)) / total : 0;
}

/* Mean over the runs with the same number of ranks as `like`. */
static double mean_total(const struct analysis *a, const struct sca_measure *like, bool inclusive,
                         uint32_t v)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        if (a->runs[i].nranks != like->nranks)
            continue;
        sum += total_of(a, i, inclusive, v);
        n++;
    }
    return sum / n;
}

/* Ranks that have as good as none of what stands in a->row. */
static uint32_t idle_in(const struct analysis *a, uint32_t run)
{
    uint32_t nranks = a->runs[run].nranks, n = 0;
    double mean = sca_over_ranks_mean(a->row, nranks);
    for (uint32_t r = 0; r < nranks; r++)
        n += a->row[r] < SCA_TRIFLE * mean;
    return n;
}

/* As many ranks have none of it in each run, and fewer than half of the most: they are there for
 * something else, as a master, and say nothing about how the others divide it. How many; else 0. */
static uint32_t idle_ranks(const struct analysis *a, uint32_t v, bool inclusive)
{
    uint32_t most = a->runs[a->nruns - 1].nranks, idle = 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        (void)total_of(a, i, inclusive, v);
        uint32_t of_run = idle_in(a, i);
        if (!of_run || of_run == a->runs[i].nranks || (i && of_run != idle))
            return 0;
        idle = of_run;
    }
    return idle < SCA_HALF * most ? idle : 0;
}

/* Puts those that have any first in a->row; returns how many they are. */
static uint32_t keep_busy(const struct analysis *a, uint32_t run, bool leave_out)
{
    uint32_t nranks = a->runs[run].nranks, n = 0;
    double mean = sca_over_ranks_mean(a->row, nranks);
    for (uint32_t r = 0; r < nranks; r++)
        if (!leave_out || a->row[r] >= SCA_TRIFLE * mean)
            a->row[n++] = a->row[r];
    return n;
}

/* Work of a few ranks alone says nothing about how a program divides its work, and what is left of
 * it when it is evened out even less. */
static bool is_everybodys(const struct analysis *a, uint32_t v, bool inclusive)
{
    bool leave_out = idle_ranks(a, v, inclusive) > 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        const struct sca_measure *m = &a->runs[i];
        const double *seconds = inclusive ? m->inclusive : m->run->comp;
        double mean = total_of(a, i, inclusive, v) / m->nranks;
        double all = sca_over_ranks_mean(seconds + (size_t)v * m->nranks, m->nranks);
        uint32_t n = keep_busy(a, i, leave_out);
        if (sca_over_ranks_median(a->row, n, NULL, a->row) < SCA_QUARTER * mean ||
            mean < SCA_QUARTER * sca_comparable_scale(a->comparable, i, v) * all)
            return false;
    }
    return true;
}

static int fit_vertex(const struct analysis *a, uint32_t v, bool inclusive, enum sca_merge merge,
                      struct sca_fit *fit)
{
    double noise = 0;
    bool leave_out = merge != SCA_MERGE_RANK && idle_ranks(a, v, inclusive) > 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        const struct sca_measure *m = &a->runs[i];
        sca_comparable_row(a->comparable, i, v, inclusive, a->row);
        a->x[i] = m->nranks;
        a->y[i] =
            sca_merge_ranks(a->row, keep_busy(a, i, leave_out), merge, a->settings->merge_rank);
        noise = fmax(noise, hypot(m->noise_level, scatter_of(m, v)));
    }
    return sca_fit_loglog(a->x, a->y, a->nruns, noise, fit);
}

/* Slopes of all own computation, by the median rank: work of few ranks must not look divided. */
static void fit_own(struct analysis *a)
{
    struct sca_fit fit;
    for (uint32_t v = 0; v < a->ppg->nvertices; v++) {
        if (a->ppg->vertices[v].kind == SCA_MPI || !is_everybodys(a, v, false) ||
            !fit_vertex(a, v, false, SCA_MERGE_MEDIAN, &fit))
            continue;
        a->slope[v] = fit.slope;
        a->weight[v] = mean_total(a, &a->runs[0], false, v);
    }
}

struct sloped {
    double slope, weight;
};

static int by_slope(const void *a, const void *b)
{
    double x = ((const struct sloped *)a)->slope, y = ((const struct sloped *)b)->slope;
    return (x > y) - (x < y);
}

/* The slope of the rest of the program; false if there is too little of it. */
static bool rest_slope(const struct analysis *a, uint32_t v, double *out)
{
    struct sloped *rest = malloc(a->ppg->nvertices * sizeof *rest);
    double total = 0, sum = 0;
    uint32_t n = 0;
    if (!rest)
        longjmp(*a->space->out_of_memory, 1);
    for (uint32_t u = 0; u < a->ppg->nvertices; u++)
        if ((u < v || u >= a->ends[v]) && a->weight[u] > 0) {
            rest[n++] = (struct sloped){a->slope[u], a->weight[u]};
            total += a->weight[u];
        }
    qsort(rest, n, sizeof *rest, by_slope);
    for (uint32_t i = 0; i < n && 2 * sum < total; i++) {
        sum += rest[i].weight;
        *out = rest[i].slope;
    }
    free(rest);
    /* or they do not tell how much slower cores are */
    return total >= SCA_LITTLE * sca_comparable_total(a->comparable, 0);
}

/* The slope this vertex should have. */
static double expected_slope(const struct analysis *a, uint32_t v)
{
    bool strong = a->mode == SCA_SCALING_STRONG;
    double ideal = strong ? -1 : 0, slope = ideal;
    /* The user's word on how the program is meant to scale rules over what the rest does; and a
     * reading says what that word would. */
    if (a->settings->scaling != SCA_SCALING_AUTO || a->comparable->told || a->open ||
        !rest_slope(a, v, &slope))
        return ideal;
    /* A rest that scales better than ideal (noise, larger caches) asks nothing more of the others.
     */
    return fmin(strong ? -SCA_HALF : 1, fmax(ideal, slope));
}

/* The structure around it that has MPI calls: its time is exact, whatever samples say of its parts.
 */
static uint32_t measured_around(const struct analysis *a, uint32_t v)
{
    while (v && !sca_named_place_calls_mpi(a->ppg, a->ends, v))
        v = a->ppg->vertices[v].parent;
    return v;
}

/* Samples that fall on one loop in one run and on its neighbour in the other make it grow, but not
 * the two together. */
static bool shows_around(const struct analysis *a, uint32_t v, double factor, double loss)
{
    uint32_t around = measured_around(a, v);
    double before = mean_total(a, &a->runs[0], true, around);
    return mean_total(a, &a->runs[a->nruns - 1], true, around) - factor * before >=
           SCA_QUARTER * loss;
}

/* What it would lose if all around it, lines that scale and lines that do not, were as much slower
 * as the whole is: shared cores and busy machines make it so, and samples, which divide the whole,
 * then need only fall a little differently for one line to grow and its neighbour to shrink. */
static double lost_by_all(const struct analysis *a, uint32_t v, double factor, double expected)
{
    const struct sca_measure *last = &a->runs[a->nruns - 1];
    uint32_t around = measured_around(a, v);
    double before = factor * mean_total(a, &a->runs[0], true, around);
    double slower = before > 0 ? mean_total(a, last, true, around) / before : 1;
    return last->shared ? expected * (fmin(SCA_SHARED_CORES, fmax(1, slower)) - 1) : 0;
}

/* Threads of the rank's own wait for cores as ranks do, the longer the more of them there are. */
static bool may_be_scheduling(const struct analysis *a, uint32_t v, double loss)
{
    return a->off_cpu && a->off_cpu[v] >= SCA_HALF * loss;
}

/* Which thread of a rank gets how much of work that they share out is a matter of turns where cores
 * are shared. Work that does not scale is more for all of them together. */
static bool may_be_turns(const struct analysis *a, uint32_t v, double factor, double loss)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double before = sca_comparable_scale(a->comparable, 0, v) * sca_thread_work(first);
    double after = sca_comparable_scale(a->comparable, a->nruns - 1, v) * sca_thread_work(last);
    return last->shared &&
           (sca_thread_work_is_shared_out(first) || sca_thread_work_is_shared_out(last)) &&
           after - factor * before < SCA_HALF * loss;
}

/* What it takes in the largest run, and what it should, which the smallest says, are as uncertain
 * as samples make them, and as these runs differ from each other beside that; more so where the
 * runs lie further from a line than this explains. */
static double error_of(const struct analysis *a, const struct sca_growth *g, double sampling)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double levels =
        hypot(last->noise_level * (g->loss + g->expected), first->noise_level * g->expected);
    return g->fit.more_noise * hypot(sampling, levels);
}

/* The first run of fewer ranks that shares cores as the last one does; NULL: there is none, or all
 * do. */
static const struct sca_measure *first_shared(const struct analysis *a)
{
    const struct sca_measure *last = &a->runs[a->nruns - 1];
    uint32_t i = 0;
    while (!a->runs[i].shared && i < a->nruns - 1)
        i++;
    return i && a->runs[i].nranks < last->nranks ? &a->runs[i] : NULL;
}

/* Caches that ranks share with their cores make memory dearer, however little more there is to do:
 * what the program makes grow grows among runs that share cores as well. */
static bool grows_among_shared(const struct analysis *a, uint32_t v, double expected)
{
    const struct sca_measure *from = first_shared(a), *last = &a->runs[a->nruns - 1];
    if (!from)
        return true;
    double more = (double)last->nranks / from->nranks;
    return mean_total(a, last, true, v) >=
           mean_total(a, from, true, v) * pow(more, 1 + expected + SCA_HALF);
}

static bool judge(const struct analysis *a, uint32_t v, double least, struct sca_growth *out)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double before = mean_total(a, first, true, v), after = mean_total(a, last, true, v);
    if (after < least || before <= 0 || !is_everybodys(a, v, true) ||
        !fit_vertex(a, v, true, a->settings->merge, &out->fit))
        return false;
    double expected = expected_slope(a, v);
    double factor = pow((double)last->nranks / first->nranks, 1 + expected);
    double before_noise = factor * sca_comparable_scale(a->comparable, 0, v);
    double noise =
        sqrt(squared_noise(last, v) + before_noise * before_noise * squared_noise(first, v));
    out->idle = idle_ranks(a, v, true);
    out->vertex = v;
    out->expected_slope = expected;
    out->expected = before * factor;
    out->loss = after - out->expected;
    out->error = error_of(a, out, noise);
    double own = out->loss - lost_by_all(a, v, factor, out->expected);
    /* the borders of 2-D grids grow as P^0.5 beside the rest: that is usual */
    return own >= fmax(least, SCA_THREE_SIGMAS * noise) && out->fit.low > expected &&
           out->fit.slope >= expected + SCA_HALF && shows_around(a, v, factor, out->loss) &&
           grows_among_shared(a, v, expected) && !may_be_scheduling(a, v, out->loss) &&
           !may_be_turns(a, v, factor, out->loss);
}

static int by_loss(const void *a, const void *b)
{
    double x = ((const struct sca_growth *)a)->loss, y = ((const struct sca_growth *)b)->loss;
    return (x < y) - (x > y);
}

static double useful_loss(const struct analysis *a)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double ideal = sca_comparable_total(a->comparable, 0);
    if (a->mode == SCA_SCALING_WEAK)
        ideal *= (double)last->nranks / first->nranks;
    return fmax(0, last->total - ideal);
}

/* Beyond ideal scaling, whatever the rest does; 0 if chance may have made it. */
static double loss_of(const struct analysis *a, uint32_t v)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double factor = a->mode == SCA_SCALING_WEAK ? (double)last->nranks / first->nranks : 1;
    double loss = mean_total(a, last, true, v) - factor * mean_total(a, first, true, v);
    double of_first = factor * sca_comparable_scale(a->comparable, 0, v);
    double noise = sqrt(squared_noise(last, v) + of_first * of_first * squared_noise(first, v));
    return loss >= SCA_THREE_SIGMAS * noise && is_everybodys(a, v, true) ? loss : 0;
}

/* Where most of what is beyond ideal scaling is, no matter by what power of the ranks it grows. */
static void find_beyond(const struct analysis *a, struct sca_growths *out)
{
    out->beyond = SCA_NONE;
    if (out->useful_loss < SCA_LITTLE * a->runs[a->nruns - 1].total)
        return;
    for (uint32_t v = 1; v < a->ppg->nvertices; v++) {
        bool inside = out->beyond == SCA_NONE || v < a->ends[out->beyond];
        double loss = inside && a->ppg->vertices[v].kind != SCA_MPI ? loss_of(a, v) : 0;
        if (loss < SCA_HALF * out->useful_loss)
            continue;
        out->beyond = v;
        out->beyond_loss = loss;
    }
}

/* ---- two readings ---- */

/* What does not scale if the problem stays the same (strong) or grows (weak): in items, by loss.
 * Returns how many. */
static uint32_t find_under(struct analysis *a, enum sca_scaling mode, double least,
                           struct sca_growth *items)
{
    uint32_t count = 0;
    a->mode = mode;
    for (uint32_t v = 1; v < a->ppg->nvertices; v++)
        count += a->ppg->vertices[v].kind != SCA_MPI && judge(a, v, least, &items[count]);
    sca_workspace_put_in_order(a->space, items, count, sizeof *items, by_loss);
    return count;
}

static bool is_among(const struct sca_growth *items, uint32_t count, uint32_t vertex)
{
    while (count-- > 0)
        if (items[count].vertex == vertex)
            return true;
    return false;
}

/* Where both may be, a growth is what is one in the weak reading, which expects less: it is one in
 * the strong one as well, and loses more there. */
static void find_both(struct analysis *a, double least, struct sca_growths *out)
{
    uint32_t nv = a->ppg->nvertices, nstrong;
    struct sca_growth *strong = sca_workspace_alloc(a->space, nv, sizeof *strong);
    out->if_same = sca_workspace_alloc(a->space, nv, sizeof *out->if_same);
    nstrong = find_under(a, SCA_SCALING_STRONG, least, strong);
    out->count = find_under(a, SCA_SCALING_WEAK, least, out->items);
    for (uint32_t i = 0; i < nstrong; i++)
        if (!is_among(out->items, out->count, strong[i].vertex))
            out->if_same[out->nif_same++] = strong[i];
    a->mode = out->mode;
}

/* Work that is told may grow. */
static bool is_same_problem(const struct analysis *a)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double more = (double)last->nranks / first->nranks;
    if (!a->comparable->told)
        return a->mode == SCA_SCALING_STRONG;
    return log(last->run->work / first->run->work) <= SCA_QUARTER * log(more);
}

static void prepare(struct analysis *a)
{
    uint32_t nv = a->ppg->nvertices;
    a->x = sca_workspace_alloc(a->space, a->nruns, sizeof(double));
    a->y = sca_workspace_alloc(a->space, a->nruns, sizeof(double));
    a->row = sca_workspace_alloc(a->space, a->runs[a->nruns - 1].nranks, sizeof(double));
    a->slope = sca_workspace_alloc(a->space, nv, sizeof(double));
    a->weight = sca_workspace_alloc(a->space, nv, sizeof(double));
    if (a->runs[a->nruns - 1].shared)
        a->off_cpu = sca_off_cpu_within(a->space, &a->runs[a->nruns - 1]);
}

void sca_growth_find(const struct sca_comparable *comparable, const struct sca_settings *settings,
                     double least, struct sca_growths *out)
{
    const struct sca_measure *runs = comparable->runs;
    struct sca_workspace *space = comparable->space;
    uint32_t nruns = comparable->nruns;
    struct analysis a = {.space = space, .ppg = runs[0].ppg, .runs = runs, .nruns = nruns};
    a.ends = comparable->ends;
    a.settings = settings;
    a.comparable = comparable;
    prepare(&a);
    *out = (struct sca_growths){0};
    out->items = sca_workspace_alloc(space, a.ppg->nvertices, sizeof *out->items);
    fit_own(&a);
    out->fewest = runs[0].nranks;
    out->mode = a.mode = sca_scaling_mode_recognise(comparable, settings, a.slope, a.weight, out);
    if (out->mode == SCA_SCALING_SINGLE)
        return;
    /* borders and bookkeeping always grow a little; shared caches and page tables add to it */
    least *= SCA_SEVERAL * (runs[nruns - 1].shared ? SCA_TWICE : 1);
    least = fmax(least, SCA_BY_CHANCE * runs[nruns - 1].nranks);
    a.open = out->open;
    out->same_problem = is_same_problem(&a);
    if (out->open)
        find_both(&a, least, out);
    else
        out->count = find_under(&a, out->mode, least, out->items);
    out->useful_loss = useful_loss(&a);
    find_beyond(&a, out);
}
