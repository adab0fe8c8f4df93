#include "measure/interval_bounds.h"
#include "base/degrees.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <string.h>

bool sca_interval_bounds_has(const struct sca_ppg_run *run,
                             const struct sca_interval_bounds *bounds, uint32_t previous,
                             uint32_t site)
{
    if (run->site_vertex[previous] != bounds->after)
        return false;
    return bounds->before == SCA_NONE ||
           (site != SCA_NONE && run->site_vertex[site] == bounds->before);
}

bool *sca_interval_bounds_mark(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_interval_bounds *bounds)
{
    const struct sca_intervals *intervals = &m->run->intervals;
    bool *on = sca_workspace_alloc(space, intervals->n, sizeof *on);
    for (uint32_t site = 0; site < intervals->nsites; site++)
        for (uint32_t interval = intervals->first[site]; interval < intervals->first[site + 1];
             interval++)
            on[interval] = sca_interval_bounds_has(m->run, bounds, site, intervals->next[interval]);
    return on;
}

void sca_interval_bounds_add(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_interval_bounds *bounds,
                             const struct sca_interval_sums *to)
{
    const struct sca_interval_matrix *all = &m->matrix;
    bool *in = sca_workspace_alloc(space, all->n, sizeof *in);
    for (uint32_t i = 0; i < all->n; i++)
        in[i] = sca_interval_bounds_has(m->run, bounds, all->of[i].previous, all->of[i].site);
    sca_interval_matrix_add(all, in, to);
}

struct sca_interval_bounds_times
sca_interval_bounds_measure(struct sca_workspace *space, const struct sca_measure *m,
                            const struct sca_interval_bounds *bounds)
{
    struct sca_interval_bounds_times out = {
        .seconds = sca_workspace_alloc(space, m->nranks, sizeof(double)),
        .variance = sca_workspace_alloc(space, m->nranks, sizeof(double)),
        .count = sca_workspace_alloc(space, m->nranks, sizeof(double))};
    sca_interval_bounds_add(
        space, m, bounds, &(struct sca_interval_sums){.seconds = out.seconds, .count = out.count});
    for (uint32_t r = 0; r < m->nranks; r++) {
        double error = out.count[r] * sca_measure_interval_error(m);
        out.variance[r] = error * error;
    }
    return out;
}

bool sca_interval_bounds_compare(struct sca_workspace *space, const struct sca_measure *m,
                                 struct sca_interval_bounds_times *of)
{
    double *row = sca_workspace_alloc(space, m->nranks, sizeof *row);
    bool *apart = sca_workspace_alloc(space, m->nranks, sizeof *apart);
    uint32_t n = 0;
    double usual = sca_over_ranks_median(of->count, m->nranks, NULL, row);
    for (uint32_t r = 0; r < m->nranks; r++) {
        apart[r] = usual <= 0 || fabs(of->count[r] - usual) > SCA_RELEVANT * usual;
        n += !apart[r];
    }
    double median = sca_over_ranks_median(of->seconds, m->nranks, apart, row);
    for (uint32_t r = 0; r < m->nranks; r++)
        if (apart[r])
            of->seconds[r] = median;
    return 2 * n > m->npresent;
}
