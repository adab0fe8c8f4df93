#include "imbalance/abnormal.h"
#include "imbalance/slow_ranks.h"
#include "measure/core_speed.h"
#include "stats/dispersion.h"
#include "stats/over_ranks.h"
#include "measure/same_code.h"
#include "trace/trace_synthesis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FALSE_ALARMS    0.01 /* expected in a run, over all its ranks and places */
#define FALSE_MEMBERS   0.1  /* expected among the ranks of an abnormal place */
#define LIKELY_MEMBERS  0.5  /* the same, where exact times agree that they belong to it */
#define SMALL_EXCESS    3.0  /* so much less than the most is put down to shared cores */
#define LIKELY_CORES    1.1  /* cores that nothing tells about may differ as much */
#define ALIKE_CORES     1.05 /* those that are as fast elsewhere, with other code */
#define OWN_CORES       0.02 /* spread of equal ranks with a core each, where nothing tells */
#define SHARED_CORES    1.3  /* what cores that are shared may make of equal work */
#define FEW_OF          3    /* ranks in so many stand out from the rest */
#define CLEARLY         10.0 /* times as far as the others are from each other */
#define LEAST_SPREAD    0.01 /* that the others are taken to have */
#define MISLEADING      3.0  /* standard deviations that samples may be off by */
#define APART           0.5 /* of the excess of ranks on average: what must lie between them and the next */
#define ENOUGH_OTHER    0.1  /* part of a rank's work that must lie elsewhere to judge its core */
#define MEDIAN_VARIANCE 1.57 /* of the median of n, over that of one / n; half of n are normal */

enum { ENOUGH_OTHERS = 4 }; /* to say how much ranks differ */

struct judge {
    const struct sca_measure *m;
    const uint32_t *ends, *vertices;
    uint32_t nvertices;
    const struct sca_interval_bounds *bounds; /* instead of vertices */
    double threshold;
    double *seconds, *variance, *sorted; /* per rank; sorted: working memory */
    bool *absent, *left_out;             /* likewise; left_out: working memory */
    struct sca_weighted *others;         /* per vertex, working memory */
    /* By exact times, per rank: what it takes in the intervals that hold what is judged; and where
     * other code runs, over the ranks' median, 0: too little to tell how fast its core is. */
    double *around, *elsewhere;
    double limit; /* the ratio from which a difference is more than what equal ranks differ by */
};

static void add_members(struct judge *j)
{
    const struct sca_measure *m = j->m;
    for (uint32_t i = 0; i < j->nvertices; i++)
        for (uint32_t r = 0; r < m->nranks; r++) {
            size_t cell = (size_t)j->vertices[i] * m->nranks + r;
            j->seconds[r] += m->inclusive[cell];
            j->variance[r] += (double)m->noise[cell] * m->noise[cell];
        }
}

static double median_of(struct judge *j, const bool *left_out)
{
    for (uint32_t r = 0; r < j->m->nranks; r++)
        j->left_out[r] = j->absent[r] || (left_out && left_out[r]);
    return sca_ranks_median(j->seconds, j->m->nranks, j->left_out, j->sorted);
}

static double median_variance(struct judge *j)
{
    double median = sca_ranks_median(j->variance, j->m->nranks, j->absent, j->sorted);
    return MEDIAN_VARIANCE * median / fmax(1, j->m->npresent / 2.0);
}

/*
 * Variance of a rank's seconds if it were like the others: samples scatter with the root of how
 * many are *expected*, so that ten where none belong say more than ten out of twenty. The square
 * of one sample's worth is the least, or a single stray sample would be proof.
 */
static double usual_variance(const struct judge *j, uint32_t r, double reference)
{
    double sample = j->variance[r] / j->seconds[r];
    return sample * fmin(reference, j->seconds[r]) + sample * sample;
}

/* What ranks that do not stand out have of a place: their median is 0 where samples are few. */
static double usual_seconds(const struct judge *j, const bool *chosen, double reference)
{
    uint32_t n = 0;
    double sum = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (!j->absent[r] && !chosen[r]) {
            sum += j->seconds[r];
            n++;
        }
    return fmax(reference, n ? sum / n : 0);
}

/*
 * Whether so many samples are too many for chance, by Chernoff's bound on the tail of a Poisson
 * distribution: with thousands of ranks and places, some rank is five sigmas off somewhere.
 */
static bool beyond_chance(const struct judge *j, uint32_t r, double usual)
{
    double sample = j->variance[r] / j->seconds[r];
    if (sample <= 0)
        return true;
    double found = j->seconds[r] / sample, expected = usual / sample + 1.0 / j->m->npresent;
    double tries = (double)j->m->npresent * j->m->ppg->nvertices;
    double least = fmax(SCA_NOISE_SIGMAS * SCA_NOISE_SIGMAS / 2, log(tries / FALSE_ALARMS));
    return found * log(found / expected) - found + expected >= least;
}

/* How many times as long the rank's core takes as others: by lines, which samples tell apart, and
 * by all other intervals, which are exact. 0: neither tells. */
static double core_factor(const struct judge *j, uint32_t r)
{
    const struct sca_within within = {j->ends, j->vertices, j->nvertices};
    double by_lines = j->nvertices ? sca_core_factor(j->m, r, &within, j->others) : 0;
    double exact = j->elsewhere[r];
    if (exact > 0)
        return fmax(1, fmin(by_lines > 0 ? by_lines : SCA_MOST_CORE_SPEED, exact));
    return by_lines;
}

/* By ratio, whatever chance says. */
static bool is_over(const struct judge *j, uint32_t r, double reference)
{
    double x = j->seconds[r];
    double limit = fmax(j->limit, j->elsewhere[r] > 0 ? ALIKE_CORES : LIKELY_CORES);
    if (x <= SCA_NEVER || x < limit * reference)
        return false;
    return reference <= SCA_NEVER || x >= limit * fmax(1, core_factor(j, r)) * reference;
}

/* By samples, whatever cores may do. */
static bool stands_out(const struct judge *j, uint32_t r, double reference,
                       double reference_variance)
{
    double x = j->seconds[r];
    return x > SCA_NEVER && x >= j->threshold * reference &&
           x - reference >=
               SCA_NOISE_SIGMAS * sqrt(usual_variance(j, r, reference) + reference_variance);
}

static void describe(struct sca_workspace *space, struct judge *j, const bool *chosen,
                     uint32_t count, struct sca_abnormal *out)
{
    double sum = 0;
    out->vertex = j->nvertices ? j->vertices[0] : SCA_NONE;
    out->ranks = sca_workspace_alloc(space, count, sizeof *out->ranks);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (chosen[r]) {
            out->ranks[out->nranks++] = r;
            sum += j->seconds[r];
            out->most = fmax(out->most, j->seconds[r]);
        }
    out->reference = median_of(j, chosen);
    out->excess = sum - count * out->reference;
    out->most -= out->reference;
    /* Less than a twentieth is "none": where samples are few, the others' share is not exactly 0.
     */
    if (out->reference * 20 > sum / count)
        out->ratio = sum / count / out->reference;
}

static void prepare(struct sca_workspace *space, struct judge *j)
{
    uint32_t n = j->m->nranks;
    j->seconds = sca_workspace_alloc(space, n, sizeof(double));
    j->variance = sca_workspace_alloc(space, n, sizeof(double));
    j->sorted = sca_workspace_alloc(space, n, sizeof(double));
    j->around = sca_workspace_alloc(space, n, sizeof(double));
    j->elsewhere = sca_workspace_alloc(space, n, sizeof(double));
    j->others = sca_workspace_alloc(space, j->m->ppg->nvertices, sizeof *j->others);
    j->absent = sca_workspace_alloc(space, n, sizeof(bool));
    j->left_out = sca_workspace_alloc(space, n, sizeof(bool));
    for (uint32_t r = 0; r < n; r++)
        j->absent[r] = !sca_measure_is_present(j->m, r);
}

static uint32_t drop_chance(const struct judge *j, double reference, bool *chosen)
{
    double usual = usual_seconds(j, chosen, reference);
    uint32_t count = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && beyond_chance(j, r, usual);
    return count;
}

/* On shared cores the ranks beside a slow one differ, too: they are not what is wrong. */
static uint32_t drop_small(const struct judge *j, double reference, bool *chosen)
{
    double most = 0;
    uint32_t count = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (chosen[r])
            most = fmax(most, j->seconds[r] - reference);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && (j->seconds[r] - reference) * SMALL_EXCESS >= most;
    return count;
}

/*
 * Once some ranks are proven abnormal, another belongs to them if its samples are likelier theirs
 * than the others': the ratio of the two Poisson likelihoods, against the number of ranks tried.
 */
static bool is_like(const struct judge *j, uint32_t r, double usual, double abnormal,
                    double false_members)
{
    double sample = j->seconds[r] > SCA_NEVER ? j->variance[r] / j->seconds[r] : 0;
    if (sample <= 0)
        return false;
    double found = j->seconds[r] / sample, theirs = abnormal / sample;
    double expected = usual / sample + 1.0 / j->m->npresent;
    return theirs > expected && found * log(theirs / expected) - theirs + expected >=
                                    log(j->m->npresent / false_members);
}

static double mean_of(const struct judge *j, const bool *chosen, uint32_t count)
{
    double sum = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        sum += chosen[r] ? j->seconds[r] : 0;
    return sum / count;
}

/* What the others have, whether or not this one is among them. */
static double usual_beside(const struct judge *j, bool *chosen, uint32_t r, double reference)
{
    bool was = chosen[r];
    chosen[r] = true;
    double usual = usual_seconds(j, chosen, reference);
    chosen[r] = was;
    return usual;
}

/* As far as samples may mislead. */
static bool may_be_over(const struct judge *j, uint32_t r, double reference)
{
    return j->seconds[r] + MISLEADING * sqrt(j->variance[r]) >= j->limit * reference;
}

static uint32_t add_alike(const struct judge *j, double reference, bool *chosen, uint32_t count)
{
    double abnormal = mean_of(j, chosen, count);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (!chosen[r] && !j->absent[r] && is_over(j, r, reference) &&
            is_like(j, r, usual_beside(j, chosen, r, reference), abnormal, FALSE_MEMBERS)) {
            chosen[r] = true;
            count++;
        }
    return count;
}

/* Nor need samples prove what exact times do; what each of them says likely, both together prove.
 */
static uint32_t add_as_slow(struct sca_workspace *space, const struct judge *j, double reference,
                            bool *chosen, uint32_t count)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    const struct sca_within place = {j->ends, j->vertices, j->nvertices};
    bool *as_slow = sca_workspace_alloc(&scratch, j->m->nranks, sizeof *as_slow);
    bool *rather = sca_workspace_alloc(&scratch, j->m->nranks, sizeof *rather);
    double abnormal = mean_of(j, chosen, count);
    sca_slow_ranks_find(&scratch, j->m, &place, chosen, j->limit, as_slow);
    sca_slow_ranks_find(&scratch, j->m, &place, chosen, 1, rather);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if ((as_slow[r] && may_be_over(j, r, reference)) ||
            (rather[r] && is_over(j, r, reference) &&
             is_like(j, r, usual_beside(j, chosen, r, reference), abnormal, LIKELY_MEMBERS))) {
            chosen[r] = true;
            count++;
        }
    sca_workspace_free(&scratch);
    return count;
}

/* The intervals that hold the place; with those that the same code runs in on ranks that come there
 * between other calls, as the first of a chain. */
static void mark_around(struct sca_workspace *space, struct judge *j, const bool *chosen, bool *on)
{
    const struct sca_within place = {j->ends, j->vertices, j->nvertices};
    sca_slow_ranks_mark_around(space, j->m, &place, chosen, on);
}

/* `same`: what each rank takes for the same code. */
static void time_elsewhere(struct judge *j, const double *same)
{
    const struct sca_measure *m = j->m;
    for (uint32_t r = 0; r < m->nranks; r++)
        j->elsewhere[r] = fmax(0, m->rank_total[r] - same[r]);
    double median = sca_ranks_median(j->elsewhere, m->nranks, NULL, j->sorted);
    for (uint32_t r = 0; r < m->nranks; r++) {
        bool enough = median > 0 && j->elsewhere[r] >= ENOUGH_OTHER * m->rank_total[r];
        j->elsewhere[r] = enough ? j->elsewhere[r] / median : 0;
    }
}

static void time_place(struct sca_workspace *space, struct judge *j, const bool *chosen)
{
    bool *on = sca_workspace_alloc(space, j->m->run->intervals.n, sizeof *on);
    mark_around(space, j, chosen, on);
    sca_slow_ranks_time_marked(j->m, on, j->around);
    time_elsewhere(j, j->around);
}

/* What is compared of a way is known; ranks that come there more often are not. */
static void time_bounds(struct sca_workspace *space, struct judge *j)
{
    bool *on = sca_interval_bounds_mark(space, j->m, j->bounds);
    double *same = sca_workspace_alloc(space, j->m->nranks, sizeof *same);
    memcpy(j->around, j->seconds, j->m->nranks * sizeof(double));
    sca_same_code_add(space, j->m->ppg, j->m->run, on);
    sca_slow_ranks_time_marked(j->m, on, same);
    time_elsewhere(j, same);
}

static void find_limit(struct judge *j)
{
    double reference = sca_ranks_median(j->around, j->m->nranks, j->absent, j->sorted);
    bool known = j->m->level_known || j->m->shared;
    double usual = known ? j->m->noise_level : OWN_CORES;
    double spread = sca_dispersion(j->sorted, j->m->npresent, reference, usual);
    j->limit = fmax(j->threshold, 1 + SCA_NOISE_SIGMAS * spread);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Ranks stand out if there is an interval below them: who is at the top of a slope is one of many,
 * and the work is shared out unevenly (skew.h). By exact times. */
static uint32_t keep_apart(struct judge *j, bool *chosen)
{
    uint32_t n = 0, count = 0;
    double least = INFINITY, cut = INFINITY;
    for (uint32_t r = 0; r < j->m->nranks; r++) {
        if (!j->absent[r])
            j->sorted[n++] = j->around[r];
        least = chosen[r] ? fmin(least, j->around[r]) : least;
    }
    qsort(j->sorted, n, sizeof *j->sorted, by_size);
    double median = j->sorted[(n - 1) / 2], above = 0;
    least = median + APART * (least - median); /* others may be as slow for another reason */
    for (uint32_t k = n; k-- > 1 && j->sorted[k] >= least;) {
        above += j->sorted[k] - median;
        if (j->sorted[k] - j->sorted[k - 1] >= APART * above / (n - k))
            cut = j->sorted[k];
    }
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && j->around[r] >= cut;
    return count;
}

/* Exact times say how much equal ranks differ there, and how fast cores are. Taken only where some
 * rank stands out. */
static uint32_t keep_over(struct sca_workspace *space, struct judge *j, double reference,
                          bool *chosen)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    uint32_t count = 0;
    if (j->nvertices)
        time_place(&scratch, j, chosen);
    else
        time_bounds(&scratch, j);
    find_limit(j);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && is_over(j, r, reference);
    sca_workspace_free(&scratch);
    return count ? keep_apart(j, chosen) : 0;
}

static uint32_t choose(struct sca_workspace *space, struct judge *j, bool *chosen,
                       double *reference)
{
    double variance = median_variance(j);
    uint32_t count = 0;
    *reference = median_of(j, NULL);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = stands_out(j, r, *reference, variance);
    if (count)
        count = drop_chance(j, *reference, chosen);
    if (count)
        count = keep_over(space, j, *reference, chosen);
    return count && j->m->shared ? drop_small(j, *reference, chosen) : count;
}

double sca_abnormal_shared_limit(const struct sca_measure *m)
{
    return SHARED_CORES * (1 + m->noise_level);
}

/* Few ranks that are far from all others, which hardly differ, are not what shared cores make: that
 * falls on all of them. */
static bool is_clear(const struct judge *j, const bool *chosen, uint32_t count)
{
    double others = 0, sum = 0, apart = 0;
    uint32_t n = j->m->npresent - count;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        sum += !j->absent[r] && !chosen[r] ? j->around[r] : 0;
    double mean = sum / n;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (chosen[r])
            apart += (j->around[r] - mean) / count;
        else if (!j->absent[r])
            others += fabs(j->around[r] - mean) / n;
    return FEW_OF * count <= j->m->npresent && n >= ENOUGH_OTHERS &&
           apart >= CLEARLY * fmax(others, LEAST_SPREAD * mean);
}

/* Cores differ if nothing else a rank does tells that they are alike: two ranks with a core each,
 * and the same work, by 1.24. Where ranks share cores, memory-bound ranks have differed even so. */
static bool is_doubted(const struct judge *j, const bool *chosen, const struct sca_abnormal *a)
{
    double limit = j->m->shared ? sca_abnormal_shared_limit(j->m) : 0;
    for (uint32_t i = 0; i < a->nranks; i++)
        if (core_factor(j, a->ranks[i]) <= 0)
            limit = fmax(limit, LIKELY_CORES * SCA_MOST_CORE_SPEED);
    return a->ratio > 0 && a->ratio < limit && !is_clear(j, chosen, a->nranks);
}

static int judge_seconds(struct sca_workspace *space, struct judge *j, bool *chosen,
                         struct sca_abnormal *out)
{
    double reference;
    uint32_t count = choose(space, j, chosen, &reference);
    if (count) /* of many that stand out the median of all is half theirs */
        reference = median_of(j, chosen);
    if (count)
        count = add_alike(j, reference, chosen, count);
    if (count && count < j->m->npresent && j->nvertices)
        count = add_as_slow(space, j, reference, chosen, count);
    *out = (struct sca_abnormal){0};
    if (count == 0 || count == j->m->npresent)
        return 0;
    describe(space, j, chosen, count, out);
    out->doubted = is_doubted(j, chosen, out);
    return 1;
}

static int judge(struct sca_workspace *space, struct judge *j, bool *chosen,
                 struct sca_abnormal *out)
{
    memset(j->seconds, 0, j->m->nranks * sizeof(double));
    memset(j->variance, 0, j->m->nranks * sizeof(double));
    add_members(j);
    return judge_seconds(space, j, chosen, out);
}

int sca_abnormal_judge(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const uint32_t *vertices, uint32_t nvertices,
                       double threshold, struct sca_abnormal *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct judge j = {
        .m = m, .ends = ends, .vertices = vertices, .nvertices = nvertices, .threshold = threshold};
    prepare(&scratch, &j);
    int found = judge(space, &j, sca_workspace_alloc(&scratch, m->nranks, sizeof(bool)), out);
    sca_workspace_free(&scratch);
    return found;
}

static int judge_times(struct sca_workspace *space, struct judge *j,
                       const struct sca_interval_bounds_times *of, struct sca_abnormal *out)
{
    memcpy(j->seconds, of->seconds, j->m->nranks * sizeof(double));
    memcpy(j->variance, of->variance, j->m->nranks * sizeof(double));
    return judge_seconds(space, j, sca_workspace_alloc(space, j->m->nranks, sizeof(bool)), out);
}

int sca_abnormal_judge_bounds(struct sca_workspace *space, const struct sca_measure *m,
                              const struct sca_interval_bounds *bounds,
                              const struct sca_interval_bounds_times *of, double threshold,
                              struct sca_abnormal *out)
{
    struct judge j = {.m = m, .bounds = bounds, .threshold = threshold};
    prepare(space, &j);
    return judge_times(space, &j, of, out);
}

int sca_abnormal_judge_line(struct sca_workspace *space, const struct sca_measure *m,
                            const uint32_t *ends, const uint32_t *vertices, uint32_t nvertices,
                            const struct sca_interval_bounds_times *of, double threshold,
                            struct sca_abnormal *out)
{
    struct judge j = {
        .m = m, .ends = ends, .vertices = vertices, .nvertices = nvertices, .threshold = threshold};
    prepare(space, &j);
    return judge_times(space, &j, of, out);
}

/* Seconds in the marked intervals, and their error. */
static void add_marked(struct sca_workspace *space, struct judge *j, const bool *on)
{
    double *count = sca_workspace_alloc(space, j->m->nranks, sizeof *count);
    sca_interval_add(&j->m->matrix, sca_intervals_in(space, &j->m->matrix, on),
                     &(struct sca_interval_sums){.count = count});
    for (uint32_t r = 0; r < j->m->nranks; r++) {
        double error = count[r] * sca_measure_interval_error(j->m);
        j->variance[r] = error * error;
    }
    sca_slow_ranks_time_marked(j->m, on, j->seconds);
}

int sca_abnormal_judge_around(struct sca_workspace *space, const struct sca_measure *m,
                              const uint32_t *ends, const uint32_t *vertices, uint32_t nvertices,
                              double threshold, struct sca_abnormal *out)
{
    struct judge j = {
        .m = m, .ends = ends, .vertices = vertices, .nvertices = nvertices, .threshold = threshold};
    bool *on = sca_workspace_alloc(space, m->run->intervals.n, sizeof *on);
    bool *chosen = sca_workspace_alloc(space, m->nranks, sizeof *chosen);
    prepare(space, &j);
    for (uint32_t r = 0; r < m->nranks; r++)
        chosen[r] = sca_measure_is_present(m, r);
    mark_around(space, &j, chosen, on);
    add_marked(space, &j, on);
    memset(chosen, 0, m->nranks * sizeof *chosen);
    return judge_seconds(space, &j, chosen, out);
}

/* All ranks waiting for the greatest difference: spares most vertices the closer look. */
static double most_loss(const struct sca_measure *m, uint32_t v)
{
    const double *row = m->inclusive + (size_t)v * m->nranks;
    double least = INFINITY, most = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        least = fmin(least, row[r]);
        most = fmax(most, row[r]);
    }
    return (most - least) * m->nranks;
}

void sca_abnormal_find(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, double threshold, double least,
                       struct sca_abnormals *out)
{
    uint32_t nv = m->ppg->nvertices;
    struct judge j = {.m = m, .ends = ends, .nvertices = 1, .threshold = threshold};
    bool *chosen = sca_workspace_alloc(space, m->nranks, sizeof *chosen);
    prepare(space, &j);
    *out = (struct sca_abnormals){.items = sca_workspace_alloc(space, nv, sizeof *out->items),
                                  .of_vertex = sca_workspace_alloc(space, nv, sizeof(uint32_t)),
                                  .loss = sca_workspace_alloc(space, nv, sizeof(double)),
                                  .least = least};
    for (uint32_t v = 0; v < nv; v++) {
        struct sca_abnormal *item = &out->items[out->count];
        out->of_vertex[v] = SCA_NONE;
        j.vertices = &v;
        if (v == 0 || m->ppg->vertices[v].kind == SCA_MPI)
            continue;
        out->loss[v] = most_loss(m, v);
        if (out->loss[v] < least)
            continue;
        if (!judge(space, &j, chosen, item) || item->most * m->nranks < least)
            continue;
        out->of_vertex[v] = out->count++;
    }
}

double sca_abnormal_spread(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *vertices, uint32_t nvertices)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct judge j = {.m = m, .vertices = vertices, .nvertices = nvertices};
    double sum = 0;
    prepare(&scratch, &j);
    add_members(&j);
    double reference = median_of(&j, NULL);
    for (uint32_t r = 0; r < m->nranks; r++)
        sum += fmax(0, j.seconds[r] - reference);
    sca_workspace_free(&scratch);
    return sum;
}
