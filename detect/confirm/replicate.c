#include "confirm/replicate.h"
#include "base/degrees.h"
#include "imbalance/code_times.h"
#include "measure/sides.h"
#include "stats/median.h"
#include "stats/over_ranks.h"
#include "stats/rank_correspondence.h"

#include <math.h>
#include <string.h>

struct group {
    double mean, squares; /* trimmed; of deviations from it, winsorized */
    uint32_t kept;        /* ranks, after trimming */
};

struct asked {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const struct sca_finding *finding;
    struct sca_within place;
    bool *named;     /* per rank */
    double *seconds; /* likewise, to be compared */
    double sampling; /* variance of a rank's, by samples */
};

static uint32_t list_side(const struct asked *a, bool named, double *out)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < a->m->nranks; r++)
        if (a->named[r] == named && sca_measure_is_present(a->m, r))
            out[n++] = a->seconds[r];
    return n;
}

/* A quarter of them at each end does not count: some may be slow for another reason. */
static struct group group_of(const struct asked *a, bool named)
{
    double *x = sca_workspace_alloc(a->space, a->m->nranks, sizeof *x);
    uint32_t n = list_side(a, named, x), cut = (uint32_t)(SCA_QUARTER * n);
    struct group g = {.kept = n - 2 * cut};
    sca_median_sort(x, n);
    for (uint32_t i = cut; i < n - cut; i++)
        g.mean += x[i] / g.kept;
    for (uint32_t i = 0; i < n; i++) {
        double from = fmin(fmax(x[i], x[cut]), x[n - cut - 1]) - g.mean;
        g.squares += from * from;
    }
    return g;
}

/* All that the usual rank computes: of a place the others may have none, or next to none. */
static double usual_total(const struct asked *a)
{
    const struct sca_measure *m = a->m;
    double *scratch = sca_workspace_alloc(a->space, m->nranks, sizeof *scratch);
    return fmax(SCA_NO_TIME, sca_over_ranks_median(m->rank_total, m->nranks, NULL, scratch));
}

static void compare(const struct asked *a, struct sca_replicate *out)
{
    struct group named = group_of(a, true), others = group_of(a, false);
    double most = fmax(SCA_NO_TIME, fmax(named.mean, others.mean));
    double usual = sca_measure_usual_spread(a->m) * most;
    out->unit = usual_total(a);
    if (!named.kept || !others.kept)
        return;
    double freedom = (double)named.kept + others.kept - 2;
    double variance =
        (named.squares + others.squares + SCA_SEVERAL * usual * usual) / (freedom + SCA_SEVERAL) +
        a->sampling;
    out->effect = (named.mean - others.mean) / out->unit;
    out->error = sqrt(variance * (1.0 / named.kept + 1.0 / others.kept)) / out->unit;
    out->ratio = others.mean > SCA_NO_TIME ? named.mean / others.mean : 0;
    out->excess = (named.mean - others.mean) * out->nranks;
}

/* What its ranks have at the place itself, as samples say. */
static void take_place(struct asked *a, const struct sca_code_times *around)
{
    const struct sca_measure *m = a->m;
    memset(a->seconds, 0, m->nranks * sizeof *a->seconds);
    a->sampling = 0;
    sca_measure_add_place(m, a->place.vertices, a->place.nvertices, a->seconds);
    for (uint32_t r = 0; r < m->nranks; r++) {
        a->sampling +=
            sca_measure_place_variance(m, a->place.vertices, a->place.nvertices, r) / m->npresent;
        a->seconds[r] = sca_code_times_equalised(around, r, a->seconds[r]);
    }
}

static bool are_known(const struct asked *a, const struct sca_code_times *times)
{
    bool known = true;
    for (uint32_t r = 0; r < a->m->nranks; r++)
        known &= !a->named[r] || times->core[r] > 0;
    return known;
}

/* Samples say how much of it is the place's; what is exact how much it is, if most is. */
static void ask_place(struct asked *a, struct sca_replicate *out)
{
    struct sca_code_times around = sca_code_times_open(a->space, a->m->nranks);
    struct sca_replicate all;
    sca_code_times_of_place(a->space, a->m, &a->place, a->named, &around);
    out->cores_known = are_known(a, &around);
    all = *out;
    take_place(a, &around);
    compare(a, out);
    if (sca_over_ranks_sum(a->seconds, a->m->nranks) <
        SCA_HALF * sca_over_ranks_sum(around.seconds, a->m->nranks))
        return;
    a->seconds = around.seconds;
    a->sampling = 0;
    compare(a, &all);
    all.ratio = out->ratio;
    if (out->excess >= SCA_HALF * all.excess)
        *out = all;
}

static void ask_bounds(struct asked *a, struct sca_replicate *out)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(a->finding);
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(a->space, a->m, &bounds);
    if (!sca_interval_bounds_compare(a->space, a->m, &of))
        return;
    struct sca_code_times times = sca_code_times_open(a->space, a->m->nranks);
    sca_code_times_of_bounds(a->space, a->m, &bounds, of.seconds, &times);
    out->cores_known = are_known(a, &times);
    a->seconds = times.seconds;
    compare(a, out);
}

static struct sca_replicate ask_ranks(struct sca_workspace *space, const struct asked *of,
                                      const uint32_t *ranks, uint32_t n)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_replicate found = {.nranks = n};
    struct asked a = *of;
    a.space = &scratch;
    a.named = sca_sides_named(&scratch, a.m, ranks, n);
    a.seconds = sca_workspace_alloc(&scratch, a.m->nranks, sizeof *a.seconds);
    if (sca_finding_is_interval(a.finding))
        ask_bounds(&a, &found);
    else
        ask_place(&a, &found);
    sca_workspace_free(&scratch);
    return found;
}

bool sca_replicate_ask(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_finding *finding, uint32_t nranks,
                       struct sca_replicate *out)
{
    const struct asked of = {
        .m = m,
        .finding = finding,
        .place = {ends, finding->vertices, finding->nvertices, finding->track}};
    uint32_t *ranks = sca_workspace_alloc(space, finding->nranks, sizeof *ranks);
    bool any = false;
    for (enum sca_rank_manner manner = 0; manner < SCA_RANK_MANNERS; manner++) {
        uint32_t n = sca_rank_correspondence_list(finding->ranks, finding->nranks, nranks,
                                                  m->nranks, manner, ranks);
        if (!n || n == m->nranks)
            continue;
        struct sca_replicate found = ask_ranks(space, &of, ranks, n);
        if (found.error <= 0 || (any && found.effect * out->error <= out->effect * found.error))
            continue;
        *out = found;
        out->ranks = sca_workspace_alloc(space, n, sizeof *ranks);
        memcpy(out->ranks, ranks, n * sizeof *ranks);
        any = true;
    }
    return any;
}
