#include "measure/vertex_interval.h"
#include "stats/regression.h"
#include "trace/trace_synthesis.h"

#include <math.h>
#include <string.h>

#define AS_OFTEN 0.1 /* counts that differ by no more: ranks do the same there */

bool sca_way_has(const struct sca_ppg_run *run, const struct sca_way *way, uint32_t previous,
                 uint32_t site)
{
    if (run->site_vertex[previous] != way->after)
        return false;
    return way->before == SCA_NONE || (site != SCA_NONE && run->site_vertex[site] == way->before);
}

bool *sca_way_gaps(struct sca_room *room, const struct sca_measure *m, const struct sca_way *way)
{
    const struct sca_gaps *gaps = &m->run->gaps;
    bool *on = sca_room_alloc(room, gaps->n, sizeof *on);
    for (uint32_t site = 0; site < gaps->nsites; site++)
        for (uint32_t gap = gaps->first[site]; gap < gaps->first[site + 1]; gap++)
            on[gap] = sca_way_has(m->run, way, site, gaps->next[gap]);
    return on;
}

struct sca_way_times sca_way_measure(struct sca_room *room, const struct sca_measure *m,
                                     const struct sca_way *way)
{
    struct sca_way_times out = {.seconds = sca_room_alloc(room, m->nranks, sizeof(double)),
                                .variance = sca_room_alloc(room, m->nranks, sizeof(double)),
                                .count = sca_room_alloc(room, m->nranks, sizeof(double))};
    struct sca_opened *opened = sca_room_opened(room, m->run->profile);
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (sca_way_has(m->run, way, rank->intervals[i].previous, rank->intervals[i].site)) {
                out.seconds[r] += sca_interval_seconds(&rank->intervals[i]);
                out.count[r] += (double)rank->intervals[i].count;
            }
        double error = out.count[r] * sca_gap_error(m);
        out.variance[r] = error * error;
    }
    return out;
}

bool sca_way_compare(struct sca_room *room, const struct sca_measure *m, struct sca_way_times *of)
{
    double *row = sca_room_alloc(room, m->nranks, sizeof *row);
    bool *comparable = sca_room_alloc(room, m->nranks, sizeof *comparable);
    uint32_t n = 0;
    memcpy(row, of->count, m->nranks * sizeof *row);
    double usual = sca_median(row, m->nranks);
    for (uint32_t r = 0; r < m->nranks; r++)
        if ((comparable[r] = usual > 0 && fabs(of->count[r] - usual) <= AS_OFTEN * usual))
            row[n++] = of->seconds[r];
    double median = sca_median(row, n);
    for (uint32_t r = 0; r < m->nranks; r++)
        if (!comparable[r])
            of->seconds[r] = median;
    return 2 * n > m->npresent;
}
