#include "confirm/borne_out.h"
#include "imbalance/abnormal.h"
#include "stats/regression.h"

#include <string.h>

#define HALF_OF 0.5

struct line {
    struct sca_room *room;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_candidate *c;
};

/* What those ranks have beyond the median of all. */
static double over_median(const struct line *l, const double *row, const uint32_t *ranks,
                          uint32_t nranks)
{
    double *sorted = sca_room_alloc(l->room, l->m->nranks, sizeof *sorted), sum = 0;
    memcpy(sorted, row, l->m->nranks * sizeof *sorted);
    double usual = sca_median(sorted, l->m->nranks);
    for (uint32_t i = 0; i < nranks; i++)
        sum += row[ranks[i]] - usual;
    return sum;
}

/* Seconds of the line in the marked gaps, of the named ranks beyond the median. */
static double excess_of_line(const struct line *l, const bool *on, const uint32_t *ranks,
                             uint32_t nranks)
{
    const struct sca_measure *m = l->m;
    double *row = sca_room_alloc(l->room, m->nranks, sizeof *row);
    for (uint32_t gap = 0; gap < m->run->gaps.n; gap++)
        for (uint32_t r = 0; r < m->nranks && on[gap]; r++)
            row[r] += sca_part_in(m, l->ends, l->c->vertices, l->c->nvertices, r, gap);
    return over_median(l, row, ranks, nranks);
}

/* The gap with most of the line on the candidate's ranks. */
static uint32_t main_gap(const struct line *l)
{
    uint32_t best = SCA_NONE;
    double most = 0;
    for (uint32_t gap = 0; gap < l->m->run->gaps.n; gap++) {
        double seconds = 0;
        for (uint32_t i = 0; i < l->c->nranks; i++)
            seconds +=
                sca_part_in(l->m, l->ends, l->c->vertices, l->c->nvertices, l->c->ranks[i], gap);
        if (seconds > most) {
            most = seconds;
            best = gap;
        }
    }
    return best;
}

static struct sca_way way_of_gap(const struct sca_ppg_run *run, uint32_t gap)
{
    uint32_t site = sca_gap_site(&run->gaps, gap), next = run->gaps.next[gap];
    return (struct sca_way){run->site_vertex[site],
                            next == SCA_NONE ? SCA_NONE : run->site_vertex[next]};
}

/* What the candidate's ranks take on the way beyond the ranks' median: exact. */
static double excess_on_way(const struct line *l, const struct sca_way *way)
{
    struct sca_way_times of = sca_way_measure(l->room, l->m, way);
    if (!sca_way_compare(l->room, l->m, &of))
        return 0;
    return over_median(l, of.seconds, l->c->ranks, l->c->nranks);
}

bool sca_way_of_line(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                     const struct sca_candidate *candidate, struct sca_way *out)
{
    struct line l = {room, m, ends, candidate};
    uint32_t gap = main_gap(&l);
    if (gap == SCA_NONE)
        return false;
    *out = way_of_gap(m->run, gap);
    const bool *on = sca_way_gaps(room, m, out);
    double of_line = excess_of_line(&l, on, candidate->ranks, candidate->nranks);
    double in_all = excess_on_way(&l, out);
    return in_all > 0 && of_line >= HALF_OF * candidate->excess && of_line >= HALF_OF * in_all;
}

bool sca_is_borne_out(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                      const struct sca_way *way, const struct sca_candidate *candidate,
                      double threshold, struct sca_abnormal *out)
{
    struct line l = {room, m, ends, candidate};
    struct sca_way_times of = sca_way_measure(room, m, way);
    if (!sca_way_compare(room, m, &of) ||
        !sca_abnormal_judge_line(room, m, ends, candidate->vertices, candidate->nvertices, &of,
                                 threshold, out))
        return false;
    return excess_of_line(&l, sca_way_gaps(room, m, way), out->ranks, out->nranks) >=
           HALF_OF * out->excess;
}

bool sca_is_borne_out_around(struct sca_room *room, const struct sca_measure *m,
                             const uint32_t *ends, const struct sca_candidate *candidate,
                             double threshold, struct sca_abnormal *out)
{
    struct line l = {room, m, ends, candidate};
    if (!sca_abnormal_judge_around(room, m, ends, candidate->vertices, candidate->nvertices,
                                   threshold, out))
        return false;
    bool *all = sca_room_alloc(room, m->run->gaps.n, sizeof *all);
    memset(all, true, m->run->gaps.n * sizeof *all);
    return excess_of_line(&l, all, out->ranks, out->nranks) >= HALF_OF * out->excess;
}
