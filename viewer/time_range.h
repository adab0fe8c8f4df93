/*
 * A chosen range of iterations of a main loop, and what the series knows of it: sums over its
 * points, those at the ends in proportion. Places have what recorded iterations of the same
 * clusters show, made as long as the points took. The report outlives it.
 */
#ifndef SCA_TIME_RANGE_H
#define SCA_TIME_RANGE_H

#include "sca_report.h"

struct sca_time_range {
    bool chosen;
    uint32_t loop;
    double from, to;             /* iterations, with both */
    double begin_s, end_s;       /* of the run */
    double span_s, own_s, mpi_s; /* mean over ranks */
    double slowest_s;            /* own time: each point's slowest rank */
    double unseen_s;             /* own time in clusters of which no iteration was recorded */
    double load_balance, serialisation; /* NAN: not known */
    double *vertex_s; /* [vertices] core-seconds with all below: computation, waits of MPI calls */
};

/* Another one; from > to are exchanged, both are kept within the loop. SCA_ENOMEM; then none is. */
int sca_time_range_choose(struct sca_time_range *range, const struct sca_report *report,
                          uint32_t loop, double from, double to);
/* The whole run again. */
void sca_time_range_close(struct sca_time_range *range);

#endif
