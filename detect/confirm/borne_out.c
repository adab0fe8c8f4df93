#include "confirm/borne_out.h"
#include "base/degrees.h"
#include "imbalance/abnormal.h"
#include "stats/over_ranks.h"

#include <string.h>

struct line {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_finding *c;
};

/* What those ranks have beyond the median of all. */
static double over_median(const struct line *l, const double *row, const uint32_t *ranks,
                          uint32_t nranks)
{
    double *scratch = sca_workspace_alloc(l->space, l->m->nranks, sizeof *scratch), sum = 0;
    double usual = sca_over_ranks_median(row, l->m->nranks, NULL, scratch);
    for (uint32_t i = 0; i < nranks; i++)
        sum += row[ranks[i]] - usual;
    return sum;
}

/* Seconds of the line in the marked intervals, of the named ranks beyond the median. */
static double excess_of_line(const struct line *l, const bool *on, const uint32_t *ranks,
                             uint32_t nranks)
{
    const struct sca_measure *m = l->m;
    double *row = sca_workspace_alloc(l->space, m->nranks, sizeof *row);
    for (uint32_t interval = 0; interval < m->run->intervals.n; interval++)
        for (uint32_t r = 0; r < m->nranks && on[interval]; r++)
            row[r] += sca_measure_part_in(m, l->ends, l->c->vertices, l->c->nvertices, r, interval);
    return over_median(l, row, ranks, nranks);
}

/* The interval with most of the line on the finding's ranks. */
static uint32_t main_interval(const struct line *l)
{
    uint32_t best = SCA_NONE;
    double most = 0;
    for (uint32_t interval = 0; interval < l->m->run->intervals.n; interval++) {
        double seconds = 0;
        for (uint32_t i = 0; i < l->c->nranks; i++)
            seconds += sca_measure_part_in(l->m, l->ends, l->c->vertices, l->c->nvertices,
                                           l->c->ranks[i], interval);
        if (seconds > most) {
            most = seconds;
            best = interval;
        }
    }
    return best;
}

static struct sca_interval_bounds bounds_of_interval(const struct sca_ppg_run *run,
                                                     uint32_t interval)
{
    uint32_t site = sca_intervals_site(&run->intervals, interval),
             next = run->intervals.next[interval];
    return (struct sca_interval_bounds){run->site_vertex[site],
                                        next == SCA_NONE ? SCA_NONE : run->site_vertex[next]};
}

/* What the finding's ranks take on the way beyond the ranks' median: exact. */
static double excess_on_bounds(const struct line *l, const struct sca_interval_bounds *bounds)
{
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(l->space, l->m, bounds);
    if (!sca_interval_bounds_compare(l->space, l->m, &of))
        return 0;
    return over_median(l, of.seconds, l->c->ranks, l->c->nranks);
}

bool sca_borne_out_bounds_of_line(struct sca_workspace *space, const struct sca_measure *m,
                                  const uint32_t *ends, const struct sca_finding *finding,
                                  struct sca_interval_bounds *out)
{
    struct line l = {space, m, ends, finding};
    uint32_t interval = main_interval(&l);
    if (interval == SCA_NONE)
        return false;
    *out = bounds_of_interval(m->run, interval);
    const bool *on = sca_interval_bounds_mark(space, m, out);
    double of_line = excess_of_line(&l, on, finding->ranks, finding->nranks);
    double in_all = excess_on_bounds(&l, out);
    return in_all > 0 && of_line >= SCA_HALF * finding->excess && of_line >= SCA_HALF * in_all;
}

bool sca_borne_out_is(struct sca_workspace *space, const struct sca_measure *m,
                      const uint32_t *ends, const struct sca_interval_bounds *bounds,
                      const struct sca_finding *finding, double threshold, struct sca_abnormal *out)
{
    struct line l = {space, m, ends, finding};
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(space, m, bounds);
    if (!sca_interval_bounds_compare(space, m, &of) ||
        !sca_abnormal_judge_line(space, m, ends, finding->vertices, finding->nvertices, &of,
                                 threshold, out))
        return false;
    return excess_of_line(&l, sca_interval_bounds_mark(space, m, bounds), out->ranks,
                          out->nranks) >= SCA_HALF * out->excess;
}

bool sca_borne_out_is_around(struct sca_workspace *space, const struct sca_measure *m,
                             const uint32_t *ends, const struct sca_finding *finding,
                             double threshold, struct sca_abnormal *out)
{
    struct line l = {space, m, ends, finding};
    if (!sca_abnormal_judge_around(space, m, ends, finding->vertices, finding->nvertices, threshold,
                                   out))
        return false;
    bool *all = sca_workspace_alloc(space, m->run->intervals.n, sizeof *all);
    memset(all, true, m->run->intervals.n * sizeof *all);
    return excess_of_line(&l, all, out->ranks, out->nranks) >= SCA_HALF * out->excess;
}
