#include "measure/off_cpu.h"
#include "apportion/metrics.h"

double sca_off_core(struct sca_room *room, const struct sca_measure *m, const bool *in)
{
    struct sca_opened *opened = sca_room_opened(room, m->run->profile);
    double seconds = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (!in || in[sca_gap_of(m, &rank->intervals[i])])
                seconds += (double)rank->intervals[i].blocked_ns * 1e-9;
    }
    return seconds;
}

double sca_off_core_on(struct sca_opened *opened, const struct sca_measure *m, uint32_t r,
                       const struct sca_way *way)
{
    const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
    double seconds = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (sca_way_has(m->run, way, rank->intervals[i].previous, rank->intervals[i].site))
            seconds += (double)rank->intervals[i].blocked_ns * 1e-9;
    return seconds;
}

double *sca_off_core_within(struct sca_room *room, const struct sca_measure *m)
{
    const uint32_t *vertex = m->run->site_vertex;
    struct sca_opened *opened = sca_room_opened(room, m->run->profile);
    double *seconds = sca_room_alloc(room, m->ppg->nvertices, sizeof *seconds);
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++) {
            const struct sca_part_interval *x = &rank->intervals[i];
            uint32_t to = vertex[x->site] == SCA_NONE ? 0 : vertex[x->site];
            if (x->blocked_ns)
                seconds[sca_vertex_between(m->ppg, vertex[x->previous], to)] +=
                    (double)x->blocked_ns * 1e-9;
        }
    }
    for (uint32_t v = m->ppg->nvertices; v-- > 1;)
        seconds[m->ppg->vertices[v].parent] += seconds[v];
    return seconds;
}
