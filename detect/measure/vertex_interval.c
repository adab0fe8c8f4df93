#include "measure/vertex_interval.h"
#include "stats/regression.h"

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

void sca_way_add(struct sca_room *room, const struct sca_measure *m, const struct sca_way *way,
                 const struct sca_interval_sums *to)
{
    const struct sca_interval_matrix *all = &m->intervals;
    bool *in = sca_room_alloc(room, all->n, sizeof *in);
    for (uint32_t i = 0; i < all->n; i++)
        in[i] = sca_way_has(m->run, way, all->of[i].previous, all->of[i].site);
    sca_interval_add(all, in, to);
}

struct sca_way_times sca_way_measure(struct sca_room *room, const struct sca_measure *m,
                                     const struct sca_way *way)
{
    struct sca_way_times out = {.seconds = sca_room_alloc(room, m->nranks, sizeof(double)),
                                .variance = sca_room_alloc(room, m->nranks, sizeof(double)),
                                .count = sca_room_alloc(room, m->nranks, sizeof(double))};
    sca_way_add(room, m, way,
                &(struct sca_interval_sums){.seconds = out.seconds, .count = out.count});
    for (uint32_t r = 0; r < m->nranks; r++) {
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
