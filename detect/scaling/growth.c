#include "scaling/growth.h"
#include "base/degrees.h"
#include "measure/off_cpu.h"
#include "scaling/growth_of_cores.h"
#include "scaling/scaling_mode.h"

#include <math.h>
#include <stdlib.h>

/* Slopes of all own computation, by the median rank: work of few ranks must not look divided. */
static void fit_own(struct sca_growth_search *a)
{
    struct sca_fit fit;
    for (uint32_t v = 0; v < a->ppg->nvertices; v++) {
        if (a->ppg->vertices[v].kind == SCA_MPI || !sca_growth_totals_are_everybodys(a, v, false) ||
            !sca_growth_totals_fit(a, v, false, SCA_MERGE_MEDIAN, &fit))
            continue;
        a->slope[v] = fit.slope;
        a->weight[v] = sca_growth_totals_mean(a, &a->runs[0], false, v);
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
static bool rest_slope(const struct sca_growth_search *a, uint32_t v, double *out)
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
    return total >= SCA_RELEVANT * sca_comparable_total(a->comparable, 0);
}

static double more_places(const struct sca_growth_search *a)
{
    return sca_comparable_places(a->comparable, a->nruns - 1) /
           sca_comparable_places(a->comparable, 0);
}

/* The slope this vertex should have. */
static double expected_slope(const struct sca_growth_search *a, uint32_t v)
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

/* What it takes in the largest run, and what it should, which the smallest says, are as uncertain
 * as samples make them, and as these runs differ from each other beside that; more so where the
 * runs lie further from a line than this explains. */
static double error_of(const struct sca_growth_search *a, const struct sca_growth *g,
                       double sampling)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double levels =
        hypot(last->noise_level * (g->loss + g->expected), first->noise_level * g->expected);
    return g->fit.more_noise * hypot(sampling, levels);
}

static bool judge(const struct sca_growth_search *a, uint32_t v, double least,
                  struct sca_growth *out)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double before = sca_growth_totals_mean(a, first, true, v),
           after = sca_growth_totals_mean(a, last, true, v);
    if (after < least || before <= 0 || !sca_growth_totals_are_everybodys(a, v, true) ||
        !sca_growth_totals_fit(a, v, true, a->settings->merge, &out->fit))
        return false;
    double expected = expected_slope(a, v);
    double factor = pow(more_places(a), 1 + expected);
    double before_noise = factor * sca_comparable_scale(a->comparable, 0, v);
    double noise = sqrt(sca_growth_totals_squared_noise(last, v) +
                        before_noise * before_noise * sca_growth_totals_squared_noise(first, v));
    out->idle = sca_growth_totals_idle(a, v, true);
    out->vertex = v;
    out->expected_slope = expected;
    out->expected = before * factor;
    out->loss = after - out->expected;
    out->error = error_of(a, out, noise);
    double own = out->loss - sca_growth_of_cores_loss(a, v, factor, out->expected);
    /* the borders of 2-D grids grow as P^0.5 beside the rest: that is usual */
    return own >= fmax(least, SCA_THREE_SIGMAS * noise) && out->fit.low > expected &&
           out->fit.slope >= expected + SCA_HALF &&
           !sca_growth_of_cores_may_be(a, v, factor, expected, out->loss);
}

static int by_loss(const void *a, const void *b)
{
    double x = ((const struct sca_growth *)a)->loss, y = ((const struct sca_growth *)b)->loss;
    return (x < y) - (x > y);
}

static double useful_loss(const struct sca_growth_search *a)
{
    const struct sca_measure *last = &a->runs[a->nruns - 1];
    double ideal = sca_comparable_total(a->comparable, 0);
    if (a->mode == SCA_SCALING_WEAK)
        ideal *= more_places(a);
    return fmax(0, last->total - ideal);
}

/* Beyond ideal scaling, whatever the rest does; 0 if chance may have made it. */
static double loss_of(const struct sca_growth_search *a, uint32_t v)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double factor = a->mode == SCA_SCALING_WEAK ? more_places(a) : 1;
    double loss = sca_growth_totals_mean(a, last, true, v) -
                  factor * sca_growth_totals_mean(a, first, true, v);
    double of_first = factor * sca_comparable_scale(a->comparable, 0, v);
    double noise = sqrt(sca_growth_totals_squared_noise(last, v) +
                        of_first * of_first * sca_growth_totals_squared_noise(first, v));
    return loss >= SCA_THREE_SIGMAS * noise && sca_growth_totals_are_everybodys(a, v, true) ? loss
                                                                                            : 0;
}

/* Where most of what is beyond ideal scaling is, no matter by what power of the ranks it grows. */
static void find_beyond(const struct sca_growth_search *a, struct sca_growths *out)
{
    out->beyond = SCA_NONE;
    if (out->useful_loss < SCA_RELEVANT * a->runs[a->nruns - 1].total)
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
static uint32_t find_under(struct sca_growth_search *a, enum sca_scaling mode, double least,
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
static void find_both(struct sca_growth_search *a, double least, struct sca_growths *out)
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
static bool is_same_problem(const struct sca_growth_search *a)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    if (!a->comparable->told)
        return a->mode == SCA_SCALING_STRONG;
    return log(last->run->work / first->run->work) <= SCA_QUARTER * log(more_places(a));
}

static void prepare(struct sca_growth_search *a)
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
    struct sca_growth_search a = {.space = space, .ppg = runs[0].ppg, .runs = runs, .nruns = nruns};
    a.ends = comparable->ends;
    a.settings = settings;
    a.comparable = comparable;
    prepare(&a);
    *out = (struct sca_growths){0};
    out->items = sca_workspace_alloc(space, a.ppg->nvertices, sizeof *out->items);
    fit_own(&a);
    out->fewest = comparable->by_threads ? runs[0].run->threads : runs[0].nranks;
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
