/*
 * The instances of a trace in rows: the k-th time that one rank goes from one call to another
 * stands beside the k-th time of the others. Rows of an interval follow each other.
 */
#ifndef SCA_DETECT_INSTANCE_ROWS_H
#define SCA_DETECT_INSTANCE_ROWS_H

#include "trace/replay_trace.h"

struct sca_row_pair { /* an interval, known by its two calls */
    uint32_t previous, site;
    uint32_t first;     /* its first row */
    uint32_t most;      /* instances of the rank with most */
    uint32_t all, near; /* of all ranks, and of those that have as many, give or take a tenth or one
                           of several, which may be another interval of who begins or ends */
};

struct sca_instance_rows {
    uint32_t n, npairs;
    uint32_t *row;  /* by event, rank by rank; SCA_NONE: behind no call of the run */
    uint32_t *pair; /* per row */
    struct sca_row_pair *pairs;
};

struct sca_instance_rows sca_instance_rows_find(struct sca_workspace *space,
                                                const struct sca_trace *trace, uint32_t nsites);

/* Whether the k-th of one rank and of another are of the same event: nearly all are of ranks that
 * have as many. */
bool sca_instance_rows_correspond(const struct sca_row_pair *pair);

#endif
