#include "measure/off_cpu.h"

static bool is_any(const void *context, const struct sca_interval *interval)
{
    (void)context;
    (void)interval;
    return true;
}

double sca_off_core(struct sca_room *room, const struct sca_measure *m, const bool *in)
{
    double seconds = 0, *off = sca_room_alloc(room, m->nranks, sizeof *off);
    sca_interval_add(&m->intervals, in ? sca_interval_in_marked : is_any, in,
                     &(struct sca_interval_sums){.off = off});
    for (uint32_t r = 0; r < m->nranks; r++)
        seconds += off[r];
    return seconds;
}

double *sca_off_core_on(struct sca_room *room, const struct sca_measure *m,
                        const struct sca_way *way)
{
    double *off = sca_room_alloc(room, m->nranks, sizeof *off);
    sca_way_add(m, way, &(struct sca_interval_sums){.off = off});
    return off;
}

/* The structure around both calls: no sample tells more. */
static uint32_t around(const struct sca_measure *m, const struct sca_interval *x)
{
    const uint32_t *vertex = m->run->site_vertex;
    uint32_t to = vertex[x->site] == SCA_NONE ? 0 : vertex[x->site];
    return sca_vertex_between(m->ppg, vertex[x->previous], to);
}

double *sca_off_core_within(struct sca_room *room, const struct sca_measure *m)
{
    double *seconds = sca_room_alloc(room, m->ppg->nvertices, sizeof *seconds);
    for (uint32_t i = 0; i < m->intervals.n; i++)
        for (const struct sca_interval_cell *x = sca_interval_first(&m->intervals, i);
             x < sca_interval_end(&m->intervals, i); x++)
            if (x->off)
                seconds[around(m, &m->intervals.of[i])] += sca_interval_off_s(&m->intervals, x);
    for (uint32_t v = m->ppg->nvertices; v-- > 1;)
        seconds[m->ppg->vertices[v].parent] += seconds[v];
    return seconds;
}
