#include "imbalance/skew.h"
#include "base/degrees.h"
#include "imbalance/code_intervals.h"
#include "imbalance/code_times.h"
#include "measure/interval_bounds.h"
#include "measure/sides.h"
#include "stats/median.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <string.h>

/* On average of the ranks over the mean: that of a single one may be a disturbance. */
static double usual_excess(const double *seconds, uint32_t nranks, double mean)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t r = 0; r < nranks; r++)
        if (seconds[r] > mean) {
            sum += seconds[r] - mean;
            n++;
        }
    return n ? sum / n : 0;
}

/* What the ranks of a group are off its mean, together. */
static double deviation_within(const double *sorted, uint32_t n, double *mean)
{
    double sum = 0;
    *mean = sca_over_ranks_mean(sorted, n);
    for (uint32_t r = 0; r < n; r++)
        sum += fabs(sorted[r] - *mean);
    return sum;
}

/*
 * Whether the ranks are of two kinds, each of which hardly differs: then those of the one have more
 * to do than those of the other, however many they are. What shares cores falls on all of them. The
 * least that one of those with more has; infinity: they are not.
 */
static double least_of_more(struct sca_workspace *space, const double *seconds, uint32_t n)
{
    double *sorted = sca_workspace_alloc(space, n, sizeof *sorted), few, many;
    uint32_t cut = 1;
    memcpy(sorted, seconds, n * sizeof *sorted);
    sca_median_sort(sorted, n);
    for (uint32_t k = 1; k < n; k++)
        if (sorted[k] - sorted[k - 1] > sorted[cut] - sorted[cut - 1])
            cut = k;
    double within = deviation_within(sorted, cut, &few);
    within = (within + deviation_within(sorted + cut, n - cut, &many)) / n;
    bool two = many - few >= fmax(SCA_CLEARLY * within, SCA_RELEVANT * few);
    return two ? sorted[cut] : INFINITY;
}

static void describe(struct sca_workspace *space, const double *seconds, uint32_t nranks,
                     double limit, struct sca_abnormal *out)
{
    double *scratch = sca_workspace_alloc(space, nranks, sizeof *scratch), sum = 0;
    bool *named = sca_workspace_alloc(space, nranks, sizeof *named);
    *out = (struct sca_abnormal){.vertex = SCA_NONE,
                                 .skewed = true,
                                 .ranks = sca_workspace_alloc(space, nranks, sizeof *out->ranks)};
    for (uint32_t r = 0; r < nranks; r++)
        if ((named[r] = seconds[r] >= limit)) {
            out->ranks[out->nranks++] = r;
            sum += seconds[r];
        }
    out->reference = sca_over_ranks_median(seconds, nranks, named, scratch);
    out->excess = sum - out->nranks * out->reference;
    out->most = sca_over_ranks_most(seconds, nranks) - out->reference;
    out->ratio = out->reference > 0 ? sum / out->nranks / out->reference : 0;
}

/* In what may be uneven, ranks and excess. Those with more are named. */
static bool judge_times(struct sca_workspace *space, const struct sca_measure *m,
                        const double *seconds, struct sca_abnormal *out)
{
    double mean = sca_over_ranks_mean(seconds, m->nranks);
    double two = least_of_more(space, seconds, m->nranks);
    double limit = mean + SCA_HALF * usual_excess(seconds, m->nranks, mean);
    describe(space, seconds, m->nranks, isfinite(two) ? two : limit, out);
    out->two_kinds = isfinite(two);
    out->no_core = out->two_kinds && sca_abnormal_is_no_core(space, m, seconds, out);
    if (out->ratio == 0) /* few ranks that have none of it are there for something else */
        return out->nranks <= SCA_HALF * m->nranks;
    return out->ratio >= 1 + SCA_RELEVANT; /* cores and memories are not alike either */
}

static bool saves_enough(const struct sca_measure *m, const double *seconds, double least)
{
    if (m->npresent < m->nranks || m->nranks < SCA_SEVERAL)
        return false;
    double mean = sca_over_ranks_mean(seconds, m->nranks);
    double saved = (sca_over_ranks_most(seconds, m->nranks) - mean) * m->nranks;
    return saved > 0 && saved >= least;
}

bool sca_skew_judge(struct sca_workspace *space, const struct sca_measure *m, const double *seconds,
                    double least, struct sca_abnormal *out)
{
    return saves_enough(m, seconds, least) && judge_times(space, m, seconds, out);
}

/* Seconds of each rank in the finding's place or interval. */
static void measure_place(struct sca_workspace *space, const struct sca_measure *m,
                          const struct sca_finding *c, double *seconds)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(c);
    if (sca_finding_is_interval(c))
        memcpy(seconds, sca_interval_bounds_measure(space, m, &bounds).seconds,
               m->nranks * sizeof *seconds);
    else
        sca_measure_add_place(m, c->vertices, c->nvertices, seconds);
}

static struct sca_code_times times_of(struct sca_workspace *space, const struct sca_measure *m,
                                      const uint32_t *ends, const struct sca_finding *c,
                                      const double *here)
{
    struct sca_code_times t = sca_code_times_open(space, m->nranks);
    const struct sca_within place = {ends, c->vertices, c->nvertices, c->track};
    struct sca_interval_bounds bounds = sca_finding_bounds(c);
    const bool *named = sca_sides_named(space, m, c->ranks, c->nranks);
    if (sca_finding_is_interval(c))
        sca_code_times_of_bounds(space, m, &bounds, here, &t);
    else
        sca_code_times_of_place(space, m, &place, named, &t);
    return t;
}

struct kinds { /* the ranks that are named, and the others */
    double mean[2];
    uint32_t n[2];
};

/* Each rank gets the mean of its kind: what those of a kind differ by is not the work's. */
static struct kinds level_kinds(struct sca_workspace *space, const struct sca_measure *m,
                                const struct sca_finding *c, double *seconds)
{
    struct kinds of = {.n = {m->nranks - c->nranks, c->nranks}};
    const bool *named = sca_sides_named(space, m, c->ranks, c->nranks);
    for (uint32_t r = 0; r < m->nranks; r++)
        of.mean[named[r]] += seconds[r] / of.n[named[r]];
    for (uint32_t r = 0; r < m->nranks; r++)
        seconds[r] = of.mean[named[r]];
    return of;
}

/* What is uncertain of what the one kind has more. */
static double error_of_kinds(const struct kinds *of, double error)
{
    double more = of->mean[1] - of->mean[0];
    return more > 0
               ? error * hypot(of->mean[1] / sqrt(of->n[1]), of->mean[0] / sqrt(of->n[0])) / more
               : 0;
}

/* By such seconds of each rank. */
static void level_times(struct sca_workspace *space, const struct sca_measure *m,
                        const uint32_t *ends, const double *times, struct sca_finding *c)
{
    uint32_t n = m->nranks;
    double *here = sca_workspace_alloc(space, n, sizeof *here);
    double *seconds = sca_workspace_grow(space, times, n, n, sizeof *seconds);
    double mean = sca_over_ranks_mean(seconds, n), taken = usual_excess(seconds, n, mean);
    measure_place(space, m, c, here);
    double error = times_of(space, m, ends, c, here).error;
    c->transform.error = taken > 0 ? error * mean / taken : 0;
    if (sca_finding_has(c, SCA_EVIDENCE_TWO_GROUPS)) {
        struct kinds of = level_kinds(space, m, c, seconds);
        c->transform.error = error_of_kinds(&of, error);
    }
    for (uint32_t r = 0; r < n; r++) {
        double more = seconds[r] - mean;
        c->transform.factor[r] = more > 0 && here[r] > 0 ? fmax(0, 1 - more / here[r]) : 1;
    }
    c->transform.alike = true;
    c->transform.cuts = NULL;
}

void sca_skew_level(struct sca_workspace *space, const struct sca_measure *m, const uint32_t *ends,
                    const struct sca_interval_bounds *bounds, struct sca_finding *c)
{
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(space, m, bounds);
    (void)sca_interval_bounds_compare(space, m, &of);
    level_times(space, m, ends, of.seconds, c);
}

void sca_skew_level_place(struct sca_workspace *space, const struct sca_measure *m,
                          const uint32_t *ends, struct sca_finding *c)
{
    const struct sca_within place = {ends, c->vertices, c->nvertices, 0};
    double *seconds = sca_workspace_alloc(space, m->nranks, sizeof *seconds);
    bool *on = sca_workspace_alloc(space, m->run->intervals.n, sizeof *on);
    sca_code_intervals_mark(space, m, &place, NULL, on);
    sca_code_intervals_time(m, on, seconds);
    c->transform.factor = sca_workspace_alloc(space, m->nranks, sizeof *c->transform.factor);
    level_times(space, m, ends, seconds, c);
}

/* How many times as much the finding's ranks have as the others, on average. */
static double ratio_of(struct sca_workspace *space, const struct sca_measure *m,
                       const struct sca_finding *c, const double *seconds)
{
    struct sca_sides sides = sca_sides_of(space, m, seconds, c->ranks, c->nranks);
    return sides.mean > 0 ? sides.named / c->nranks / sides.mean : INFINITY;
}

/* Whether cores make half of the difference, or may: where other code is too little to tell, they
 * differ by as much as any did. */
static bool is_core_speed(struct sca_workspace *space, const struct sca_measure *m,
                          const uint32_t *ends, const struct sca_finding *c)
{
    double *here = sca_workspace_alloc(space, m->nranks, sizeof *here);
    double *equalised = sca_workspace_alloc(space, m->nranks, sizeof *equalised);
    bool told = true;
    measure_place(space, m, c, here);
    struct sca_code_times t = times_of(space, m, ends, c, here);
    for (uint32_t r = 0; r < m->nranks; r++)
        equalised[r] = sca_code_times_equalised(&t, r, here[r]);
    for (uint32_t i = 0; i < c->nranks; i++)
        told &= t.core[c->ranks[i]] > 0;
    double more = ratio_of(space, m, c, here) - 1;
    if (!told)
        return 1 + more < (1 + SCA_RELEVANT) * SCA_MOST_CORE_SPEED;
    double cores = ratio_of(space, m, c, here) / ratio_of(space, m, c, equalised);
    return cores - 1 > SCA_HALF * more;
}

/* Whether the cores that its ranks used explain it, as far as cores differ. */
static bool is_of_slow_cores(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_finding *c)
{
    double *here = sca_workspace_alloc(space, m->nranks, sizeof *here);
    measure_place(space, m, c, here);
    return c->ratio < SCA_SHARED_HARDWARE &&
           sca_core_use_explains(space, &m->core_use, here, c->ranks, c->nranks);
}

enum sca_belief sca_skew_belief(struct sca_workspace *space, const struct sca_measure *m,
                                const uint32_t *ends, double threshold, const struct sca_finding *c)
{
    if (sca_finding_has(c, SCA_EVIDENCE_NO_CORE))
        return SCA_BELIEVED;
    if (is_core_speed(space, m, ends, c))
        return SCA_NOT_BELIEVED;
    if (!sca_finding_has(c, SCA_EVIDENCE_TWO_GROUPS) && !sca_finding_has(c, SCA_EVIDENCE_STANDS_IN))
        return SCA_INCONCLUSIVE;
    if (!m->shared)
        return SCA_BELIEVED;
    if (is_of_slow_cores(space, m, c))
        return SCA_INCONCLUSIVE;
    /* more than memory-bound code ever differed on shared cores */
    return c->ratio == 0 || c->ratio >= (1 + SCA_SUBSTANTIAL) * threshold ? SCA_BELIEVED
                                                                          : SCA_INCONCLUSIVE;
}
