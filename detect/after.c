#include "after.h"
#include "model.h"
#include "walk.h"

#include <math.h>
#include <string.h>

#define AS_OFTEN 0.1 /* counts that differ by no more: ranks do the same there */

struct sca_after sca_after_measure(struct sca_room *room, const struct sca_measure *m,
                                   uint32_t after)
{
    const struct sca_ppg_run *run = m->run;
    struct sca_after out = {.seconds = sca_room_alloc(room, m->nranks, sizeof(double)),
                            .variance = sca_room_alloc(room, m->nranks, sizeof(double)),
                            .count = sca_room_alloc(room, m->nranks, sizeof(double))};
    struct sca_opened *opened = sca_room_opened(room, run->profile);
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (run->site_vertex[rank->intervals[i].previous] == after) {
                out.seconds[r] += sca_interval_seconds(&rank->intervals[i]);
                out.count[r] += (double)rank->intervals[i].count;
            }
        double error = out.count[r] * sca_gap_error(m);
        out.variance[r] = error * error;
    }
    return out;
}

bool sca_after_compare(struct sca_room *room, const struct sca_measure *m, struct sca_after *of)
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
