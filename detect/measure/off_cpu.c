#include "measure/off_cpu.h"

double sca_off_cpu(struct sca_workspace *space, const struct sca_measure *m, const bool *in)
{
    double seconds = 0, *off = sca_workspace_alloc(space, m->nranks, sizeof *off);
    sca_interval_matrix_add(&m->matrix, in ? sca_interval_matrix_in(space, &m->matrix, in) : NULL,
                            &(struct sca_interval_sums){.off = off});
    for (uint32_t r = 0; r < m->nranks; r++)
        seconds += off[r];
    return seconds;
}

double *sca_off_cpu_on(struct sca_workspace *space, const struct sca_measure *m,
                       const struct sca_interval_bounds *bounds)
{
    double *off = sca_workspace_alloc(space, m->nranks, sizeof *off);
    sca_interval_bounds_add(space, m, bounds, &(struct sca_interval_sums){.off = off});
    return off;
}

/* The structure around both calls: no sample tells more. */
static uint32_t around(const struct sca_measure *m, const struct sca_call_pair *x)
{
    const uint32_t *vertex = m->run->site_vertex;
    uint32_t to = vertex[x->site] == SCA_NONE ? 0 : vertex[x->site];
    return sca_ppg_vertex_between(m->ppg, vertex[x->previous], to);
}

double *sca_off_cpu_within(struct sca_workspace *space, const struct sca_measure *m)
{
    double *seconds = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *seconds);
    for (uint32_t r = 0; r < m->nranks; r++) {
        struct sca_interval_matrix_row row = sca_interval_matrix_row(&m->matrix, r);
        for (const struct sca_interval_cell *x = row.first; x < row.end; x++)
            if (x->off > 0)
                seconds[around(m, &m->matrix.of[x->pair])] += x->off;
    }
    for (uint32_t v = m->ppg->nvertices; v-- > 1;)
        seconds[m->ppg->vertices[v].parent] += seconds[v];
    return seconds;
}
