#include "series/rotation.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_RANKS = 3,
    LEAST_POINTS = 24,
    LEAST_TURNS = 8,
    LEAST_TURN = 3, /* points */
    INTERRUPTED = 2 /* points of other ranks within a turn */
};

static const double least_ratio = 1 + SCA_QUARTER; /* of the slowest rank to the median */

/* Points whose slowest rank is far above the usual one, and by how much. */
static uint32_t slow_points(const struct sca_series_point *points, uint32_t n, double *ratio)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (points[i].own.max > least_ratio * points[i].own.median)
            ratio[count++] = points[i].own.max / points[i].own.median;
    return count;
}

/* From one point to the next the slowest rank moves on by the same number of ranks. */
static bool moves_on(struct sca_workspace *space, const struct sca_series_point *points, uint32_t n,
                     uint32_t nranks)
{
    uint32_t *seen = sca_workspace_alloc(space, nranks + 1, sizeof *seen), best = 0;
    for (uint32_t i = 1; i < n; i++)
        seen[(points[i].slowest + nranks - points[i - 1].slowest % nranks) % nranks]++;
    for (uint32_t k = 1; k < nranks; k++)
        best = seen[k] > seen[best] || !best ? k : best;
    return seen[best] >= SCA_HALF * n;
}

/* Points in a row with one slowest rank, but for single ones of others. */
struct turns {
    double *length;
    uint32_t n, points; /* of all turns */
    bool of_few;        /* one rank has most of them */
};

static uint32_t end_of_turn(const struct sca_series_point *points, uint32_t n, uint32_t begin)
{
    uint32_t end = begin + 1;
    for (uint32_t i = end; i < n && i <= end + INTERRUPTED; i++)
        if (points[i].slowest == points[begin].slowest)
            end = i + 1;
    return end;
}

static struct turns turns_of(struct sca_workspace *space, const struct sca_series_point *points,
                             uint32_t n, uint32_t nranks)
{
    struct turns t = {.length = sca_workspace_alloc(space, n, sizeof *t.length)};
    uint32_t *of_rank = sca_workspace_alloc(space, nranks, sizeof *of_rank);
    for (uint32_t i = 0, end; i < n; i = end) {
        end = end_of_turn(points, n, i);
        if (end - i < LEAST_TURN) {
            end = i + 1;
            continue;
        }
        t.length[t.n++] = end - i;
        t.points += end - i;
        t.of_few |= (of_rank[points[i].slowest % nranks] += end - i) > SCA_HALF * n;
    }
    return t;
}

/* So many points the slowest rank stays the same; 0: it does not rotate so. */
static uint32_t length_of_turns(struct sca_workspace *space, const struct sca_series_point *points,
                                uint32_t n, uint32_t nranks)
{
    struct turns t = turns_of(space, points, n, nranks);
    if (t.n < LEAST_TURNS || t.of_few || t.points < SCA_MOST * n)
        return 0;
    double *sorted = sca_workspace_alloc(space, t.n, sizeof *sorted);
    memcpy(sorted, t.length, t.n * sizeof *sorted);
    double usual = sca_median(sorted, t.n);
    uint32_t alike = 0;
    for (uint32_t i = 0; i < t.n; i++)
        alike += fabs(t.length[i] - usual) <= fmax(1, SCA_QUARTER * usual);
    return alike >= SCA_MOST * t.n ? (uint32_t)usual : 0;
}

struct sca_rotation sca_rotation_of(struct sca_workspace *space,
                                    const struct sca_series_point *points, uint32_t n,
                                    uint32_t nranks)
{
    struct sca_rotation r = {0};
    double *ratio = sca_workspace_alloc(space, n, sizeof *ratio);
    uint32_t slow = slow_points(points, n, ratio);
    if (nranks < LEAST_RANKS || n < LEAST_POINTS || slow < SCA_MOST * n)
        return r;
    bool each = moves_on(space, points, n, nranks);
    r.turn = each ? 0 : length_of_turns(space, points, n, nranks);
    r.is_real = each || r.turn;
    r.ratio = sca_median(ratio, slow);
    return r;
}
