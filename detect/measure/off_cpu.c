#include "measure/off_cpu.h"
#include "stats/over_ranks.h"

#include <math.h>

double sca_off_cpu(struct sca_workspace *space, const struct sca_measure *m, const bool *in)
{
    double *off = sca_workspace_alloc(space, m->nranks, sizeof *off);
    sca_interval_matrix_add(&m->matrix, in ? sca_interval_matrix_in(space, &m->matrix, in) : NULL,
                            &(struct sca_interval_sums){.off = off});
    return sca_over_ranks_sum(off, m->nranks);
}

static double placed_in(const struct sca_measure *m, uint32_t rank, uint32_t interval)
{
    const struct sca_ppg_run *run = m->run;
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n + interval];
    double seconds = 0;
    for (uint32_t i = first[0]; i < first[1]; i++)
        if (m->ppg->vertices[run->shares[i].vertex].blocks)
            seconds += run->shares[i].seconds;
    return seconds;
}

double *sca_off_cpu_unplaced(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_interval_bounds *bounds)
{
    const bool *in = sca_interval_bounds_mark(space, m, bounds);
    double *off = sca_workspace_alloc(space, m->nranks, sizeof *off);
    sca_interval_bounds_add(space, m, bounds, &(struct sca_interval_sums){.off = off});
    for (uint32_t r = 0; r < m->nranks; r++) {
        for (uint32_t interval = 0; interval < m->run->intervals.n && off[r] > 0; interval++)
            off[r] -= in[interval] ? placed_in(m, r, interval) : 0;
        off[r] = fmax(0, off[r]);
    }
    return off;
}

double *sca_off_cpu_within(struct sca_workspace *space, const struct sca_measure *m)
{
    double *seconds = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *seconds);
    for (uint32_t v = m->ppg->nvertices; v-- > 0;) {
        seconds[v] += sca_over_ranks_sum(m->run->blocked + (size_t)v * m->nranks, m->nranks);
        if (v > 0)
            seconds[m->ppg->vertices[v].parent] += seconds[v];
    }
    return seconds;
}
