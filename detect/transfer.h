/*
 * What communication itself moves and takes, beside waiting: per (MPI vertex, rank) messages and
 * bytes, counted exactly, and the seconds of the transfers, estimated from the shortest calls: a
 * call that waited for nobody shows what its transfer costs. Owned by the room (room.h).
 */
#ifndef SCA_DETECT_TRANSFER_H
#define SCA_DETECT_TRANSFER_H

#include "measure.h"

struct sca_transfers {
    double *per_call; /* [rank * nsites + site] seconds of one call */
    /* [vertex * nranks + rank] of MPI vertices */
    double *seconds, *messages, *bytes;
};

void sca_transfers_measure(struct sca_room *room, const struct sca_measure *m,
                           struct sca_transfers *out);

#endif
