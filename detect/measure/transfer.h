/*
 * What communication itself moves and takes, beside waiting: messages and bytes of the busiest rank
 * per MPI vertex, counted exactly, and the seconds of transfers, estimated from the shortest calls:
 * a call that waited for nobody shows what its transfer costs. Owned by the workspace
 * (workspace.h).
 */
#ifndef SCA_DETECT_TRANSFER_H
#define SCA_DETECT_TRANSFER_H

#include "measure/measure.h"

struct sca_transfers { /* per vertex, of the rank that has most; 0 but for MPI vertices */
    double *messages, *bytes, *calls;
};

void sca_transfer_measure(struct sca_workspace *space, const struct sca_measure *m,
                          struct sca_transfers *out);

/* Seconds per rank that the vertices in `in` (a flag each) spend in transfers. If per_call is given
 * it takes the seconds of one call, [rank * nsites + site]. */
void sca_transfer_seconds(struct sca_workspace *space, const struct sca_measure *m, const bool *in,
                          double *seconds, double *per_call);

#endif
