#include "imbalance/abnormal.h"
#include "base/degrees.h"
#include "imbalance/abnormal_ranks.h"
#include "imbalance/code_intervals.h"
#include "measure/core_speed.h"
#include "measure/sides.h"
#include "stats/dispersion.h"
#include "stats/median.h"
#include "stats/over_ranks.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void leave_out(struct sca_judging *j, const bool *left_out)
{
    for (uint32_t r = 0; r < j->m->nranks; r++)
        j->left_out[r] = j->m->absent[r] || (left_out && left_out[r]);
}

static double median_of(struct sca_judging *j, const bool *left_out)
{
    leave_out(j, left_out);
    return sca_over_ranks_median(j->seconds, j->m->nranks, j->left_out, j->sorted);
}

/* The same, equalised. */
static double usual_of(struct sca_judging *j, const bool *left_out)
{
    leave_out(j, left_out);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        j->sorted[r] = sca_code_times_equalised(&j->around, r, j->seconds[r]);
    return sca_over_ranks_median(j->sorted, j->m->nranks, j->left_out, j->sorted);
}

static double median_variance(struct sca_judging *j)
{
    double median = sca_over_ranks_median(j->variance, j->m->nranks, j->m->absent, j->sorted);
    return SCA_MEDIAN_VARIANCE * median / fmax(1, j->m->npresent / 2.0); /* half are normal */
}

static void describe(struct sca_workspace *space, const struct sca_judging *j, const bool *chosen,
                     uint32_t count, struct sca_abnormal *out)
{
    out->vertex = j->nvertices ? j->vertices[0] : SCA_NONE;
    out->ranks = sca_workspace_alloc(space, count, sizeof *out->ranks);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (chosen[r]) {
            out->ranks[out->nranks++] = r;
            out->most = fmax(out->most, j->seconds[r]);
        }
    struct sca_sides sides = sca_sides_of(space, j->m, j->seconds, out->ranks, count);
    out->reference = sides.usual;
    out->excess = sca_sides_excess(&sides, count);
    out->most -= out->reference;
    out->ratio = sca_sides_told_ratio(&sides, count);
}

static void prepare(struct sca_workspace *space, struct sca_judging *j)
{
    uint32_t n = j->m->nranks;
    j->seconds = sca_workspace_alloc(space, n, sizeof(double));
    j->variance = sca_workspace_alloc(space, n, sizeof(double));
    j->sorted = sca_workspace_alloc(space, n, sizeof(double));
    j->around = sca_code_times_open(space, n);
    j->left_out = sca_workspace_alloc(space, n, sizeof(bool));
}

/* What is compared of a way is known; ranks that come there more often are not. */
static void time_around(struct sca_workspace *space, struct sca_judging *j, const bool *chosen)
{
    const struct sca_within place = {j->ends, j->vertices, j->nvertices, j->track};
    if (j->nvertices)
        sca_code_times_of_place(space, j->m, &place, chosen, &j->around);
    else
        sca_code_times_of_bounds(space, j->m, j->bounds, j->seconds, &j->around);
    j->usual = usual_of(j, NULL);
}

static void find_limit(struct sca_judging *j)
{
    double reference =
        sca_over_ranks_median(j->around.seconds, j->m->nranks, j->m->absent, j->sorted);
    double usual = sca_measure_usual_spread(j->m);
    double spread = sca_dispersion(j->sorted, j->m->npresent, reference, usual);
    j->limit = fmax(j->threshold, 1 + SCA_FIVE_SIGMAS * spread);
}

/* Ranks stand out if there is an interval below them: who is at the top of a slope is one of many,
 * and the work is shared out unevenly (skew.h). By exact times. */
static uint32_t keep_apart(struct sca_judging *j, bool *chosen)
{
    uint32_t n = 0, count = 0;
    double least = INFINITY, cut = INFINITY;
    for (uint32_t r = 0; r < j->m->nranks; r++) {
        if (!j->m->absent[r])
            j->sorted[n++] = j->around.seconds[r];
        least = chosen[r] ? fmin(least, j->around.seconds[r]) : least;
    }
    sca_median_sort(j->sorted, n);
    double median = j->sorted[(n - 1) / 2], above = 0;
    least = median + SCA_HALF * (least - median); /* others may be as slow for another reason */
    for (uint32_t k = n; k-- > 1 && j->sorted[k] >= least;) {
        above += j->sorted[k] - median;
        if (j->sorted[k] - j->sorted[k - 1] >= SCA_HALF * above / (n - k))
            cut = j->sorted[k];
    }
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && j->around.seconds[r] >= cut;
    return count;
}

/* Exact times say how much equal ranks differ there, and how fast cores are. Taken only where some
 * rank stands out. */
static uint32_t keep_over(struct sca_workspace *space, struct sca_judging *j, bool *chosen)
{
    uint32_t count = 0;
    time_around(space, j, chosen);
    find_limit(j);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && sca_abnormal_ranks_is_over(j, r);
    return count ? keep_apart(j, chosen) : 0;
}

static uint32_t choose(struct sca_workspace *space, struct sca_judging *j, bool *chosen,
                       double *reference)
{
    double variance = median_variance(j);
    uint32_t count = 0;
    *reference = median_of(j, NULL);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = sca_abnormal_ranks_stands_out(j, r, *reference, variance);
    if (count)
        count = sca_abnormal_ranks_drop_chance(j, *reference, chosen);
    return count ? keep_over(space, j, chosen) : 0;
}

double sca_abnormal_shared_limit(const struct sca_measure *m)
{
    return SCA_SHARED_CORES * (1 + m->noise_level);
}

/* What shared cores make falls on all ranks of a core, wherever the system put them. A disturbance
 * falls on few. */
bool sca_abnormal_is_no_core(struct sca_workspace *space, const struct sca_measure *m,
                             const double *seconds, const struct sca_abnormal *a)
{
    return m->shared && m->core_use.ncores && a->nranks > SCA_QUARTER * m->npresent &&
           !sca_core_use_explains(space, &m->core_use, seconds, a->ranks, a->nranks);
}

/* Whether the ranks are far from all others, which hardly differ. */
static bool is_clear(struct sca_workspace *space, const struct sca_judging *j, const bool *chosen,
                     const struct sca_abnormal *a)
{
    const double *seconds = j->around.seconds;
    struct sca_sides sides = sca_sides_of(space, j->m, seconds, a->ranks, a->nranks);
    double others = 0, apart = sides.named / a->nranks - sides.mean;
    uint32_t n = j->m->npresent - a->nranks;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        others += chosen[r] || j->m->absent[r] ? 0 : fabs(seconds[r] - sides.mean) / n;
    return n >= SCA_SEVERAL && apart >= fmax(SCA_CLEARLY * others, SCA_RELEVANT * sides.mean);
}

/* Cores differ if nothing else a rank does tells that they are alike: two ranks with a core each,
 * and the same work, by 1.24. Of few ranks nothing tells what memory makes of equal work. Where
 * ranks share cores, memory-bound ranks have differed even so. */
static bool is_inconclusive(struct sca_workspace *space, const struct sca_judging *j, bool clear,
                            const struct sca_abnormal *a)
{
    double limit = j->m->shared ? sca_abnormal_shared_limit(j->m) : 0;
    if (sca_core_use_explains(space, &j->m->core_use, j->around.seconds, a->ranks, a->nranks))
        return a->ratio > 0 && a->ratio < SCA_SHARED_HARDWARE;
    bool known = j->m->npresent >= SCA_SEVERAL;
    for (uint32_t i = 0; i < a->nranks; i++)
        known &= j->around.core[a->ranks[i]] > 0;
    if (!known)
        limit = fmax(limit, (1 + SCA_RELEVANT) * SCA_MOST_CORE_SPEED);
    bool few = a->nranks <= SCA_QUARTER * j->m->npresent;
    return a->ratio > 0 && a->ratio < limit && !(clear && (few || a->no_core));
}

static int judge_rows(struct sca_workspace *space, struct sca_judging *j, bool *chosen,
                      struct sca_abnormal *out)
{
    double reference;
    uint32_t count = choose(space, j, chosen, &reference);
    if (count) { /* of many that stand out the median of all is half theirs */
        j->usual = usual_of(j, chosen);
        reference = median_of(j, chosen);
    }
    if (count)
        count = sca_abnormal_ranks_add_alike(j, reference, chosen, count);
    *out = (struct sca_abnormal){0};
    if (count == 0 || count == j->m->npresent)
        return 0;
    describe(space, j, chosen, count, out);
    bool clear = is_clear(space, j, chosen, out);
    out->no_core = clear && sca_abnormal_is_no_core(space, j->m, j->around.seconds, out);
    out->inconclusive = is_inconclusive(space, j, clear, out);
    return 1;
}

static double seconds_of_track(const struct sca_judging *j, uint32_t rank)
{
    double seconds = 0;
    for (uint32_t i = 0; i < j->m->run->intervals.n; i++)
        if (sca_measure_track_of(j->m, i) != j->track || (j->on && !j->on[i]))
            continue;
        else if (j->on)
            seconds += sca_measure_seconds_in(j->m, rank, i);
        else
            seconds += sca_measure_part_in(j->m, j->ends, j->vertices, j->nvertices, rank, i);
    return seconds;
}

/* Threads of one number against each other. What the ranks have too much is told of all their
 * threads: what siblings do less of instead is no more work. */
static bool judge_track(struct sca_workspace *space, const struct sca_judging *all, uint32_t track,
                        bool *chosen, struct sca_abnormal *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_judging j = *all;
    struct sca_abnormal alone;
    j.track = track;
    j.seconds = sca_workspace_alloc(&scratch, j.m->nranks, sizeof *j.seconds);
    j.variance = sca_workspace_alloc(&scratch, j.m->nranks, sizeof *j.variance);
    for (uint32_t r = 0; r < j.m->nranks; r++) {
        j.seconds[r] = seconds_of_track(&j, r);
        j.variance[r] = all->variance[r] * fmin(1, j.seconds[r] / fmax(all->seconds[r], DBL_MIN));
    }
    bool found = judge_rows(&scratch, &j, chosen, &alone) && !alone.inconclusive;
    *out = (struct sca_abnormal){.track = track, .no_core = found && alone.no_core};
    if (found) {
        describe(space, all, chosen, alone.nranks, out);
        out->ratio = alone.ratio;
        found = out->excess >= SCA_HALF * alone.excess;
    }
    sca_workspace_free(&scratch);
    return found;
}

/* A rank's time may be that of many threads: one of them that is late is hardly seen in it. */
static int judge_seconds(struct sca_workspace *space, struct sca_judging *j, bool *chosen,
                         struct sca_abnormal *out)
{
    struct sca_abnormal one;
    bool found = false;
    for (uint32_t track = 1; track <= j->m->ntracks; track++)
        if (judge_track(space, j, track, chosen, &one) && (!found || one.excess > out->excess)) {
            *out = one;
            found = true;
        }
    return found || judge_rows(space, j, chosen, out);
}

static int judge(struct sca_workspace *space, struct sca_judging *j, bool *chosen,
                 struct sca_abnormal *out)
{
    const struct sca_measure *m = j->m;
    memset(j->seconds, 0, m->nranks * sizeof *j->seconds);
    sca_measure_add_place(m, j->vertices, j->nvertices, j->seconds);
    for (uint32_t r = 0; r < m->nranks; r++)
        j->variance[r] = sca_measure_place_variance(m, j->vertices, j->nvertices, r);
    return judge_seconds(space, j, chosen, out);
}

int sca_abnormal_judge(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const uint32_t *vertices, uint32_t nvertices,
                       double threshold, struct sca_abnormal *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_judging j = {
        .m = m, .ends = ends, .vertices = vertices, .nvertices = nvertices, .threshold = threshold};
    prepare(&scratch, &j);
    int found = judge(space, &j, sca_workspace_alloc(&scratch, m->nranks, sizeof(bool)), out);
    sca_workspace_free(&scratch);
    return found;
}

bool sca_abnormal_judge_bounds(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_interval_bounds *bounds,
                               const struct sca_interval_bounds_times *of, double threshold,
                               struct sca_abnormal *out)
{
    struct sca_judging j = {.m = m, .bounds = bounds, .threshold = threshold};
    j.on = sca_interval_bounds_mark(space, m, bounds);
    prepare(space, &j);
    memcpy(j.seconds, of->seconds, m->nranks * sizeof(double));
    memcpy(j.variance, of->variance, m->nranks * sizeof(double));
    return judge_seconds(space, &j, sca_workspace_alloc(space, m->nranks, sizeof(bool)), out);
}

/* Seconds in the marked intervals, and their error. */
static void add_marked(struct sca_workspace *space, struct sca_judging *j, const bool *on)
{
    double *count = sca_workspace_alloc(space, j->m->nranks, sizeof *count);
    sca_interval_matrix_add(&j->m->matrix, sca_interval_matrix_in(space, &j->m->matrix, on),
                            &(struct sca_interval_sums){.count = count});
    for (uint32_t r = 0; r < j->m->nranks; r++) {
        double error = count[r] * sca_measure_interval_error(j->m);
        j->variance[r] = error * error;
    }
    sca_code_intervals_time(j->m, on, j->seconds);
}

bool sca_abnormal_judge_around(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_within *place, const bool *on, double threshold,
                               struct sca_abnormal *out)
{
    struct sca_judging j = {.m = m,
                            .ends = place->ends,
                            .vertices = place->vertices,
                            .nvertices = place->nvertices,
                            .on = on,
                            .threshold = threshold};
    prepare(space, &j);
    add_marked(space, &j, on);
    return judge_seconds(space, &j, sca_workspace_alloc(space, m->nranks, sizeof(bool)), out);
}

/* All ranks waiting for the greatest difference: spares most vertices the closer look. */
static double most_loss(const struct sca_measure *m, uint32_t v)
{
    return sca_over_ranks_range(m->inclusive + (size_t)v * m->nranks, m->nranks) * m->nranks;
}

void sca_abnormal_find(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_abnormal_limits *limits,
                       struct sca_abnormals *out)
{
    uint32_t nv = m->ppg->nvertices;
    struct sca_judging j = {.m = m, .ends = ends, .nvertices = 1, .threshold = limits->threshold};
    bool *chosen = sca_workspace_alloc(space, m->nranks, sizeof *chosen);
    prepare(space, &j);
    *out = (struct sca_abnormals){.items = sca_workspace_alloc(space, nv, sizeof *out->items),
                                  .of_vertex = sca_workspace_alloc(space, nv, sizeof(uint32_t)),
                                  .loss = sca_workspace_alloc(space, nv, sizeof(double)),
                                  .limits = *limits};
    for (uint32_t v = 0; v < nv; v++) {
        struct sca_abnormal *item = &out->items[out->count];
        out->of_vertex[v] = SCA_NONE;
        j.vertices = &v;
        if (v == 0 || m->ppg->vertices[v].kind == SCA_MPI)
            continue;
        out->loss[v] = most_loss(m, v);
        if (out->loss[v] < limits->least)
            continue;
        if (!judge(space, &j, chosen, item) || item->most * m->nranks < limits->least)
            continue;
        out->of_vertex[v] = out->count++;
    }
}

double sca_abnormal_spread(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *vertices, uint32_t nvertices)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *seconds = sca_workspace_alloc(&scratch, 2ul * m->nranks, sizeof *seconds), sum = 0;
    sca_measure_add_place(m, vertices, nvertices, seconds);
    double usual = sca_over_ranks_median(seconds, m->nranks, m->absent, seconds + m->nranks);
    for (uint32_t r = 0; r < m->nranks; r++)
        sum += fmax(0, seconds[r] - usual);
    sca_workspace_free(&scratch);
    return sum;
}
