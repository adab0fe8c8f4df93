/*
 * What a run says of locks: who had one while others waited, and where these waited
 * (SCA_SAMPLE_LOCK, SCA_SAMPLE_HOLDER, sca_part.h), by rank and interval; and how much longer the
 * rank took by that (SCA_SAMPLE_CONTENDED). From the workspace.
 */
#ifndef SCA_DETECT_LOCK_WAITS_H
#define SCA_DETECT_LOCK_WAITS_H

#include "base/workspace.h"
#include "graph/ppg.h"

struct sca_lock_use { /* of a lock at a call */
    uint32_t vertex, rank, interval;
    uint16_t number; /* the lock's, on this rank */
    double seconds;  /* that threads waited: there, or for who had it from there */
};

struct sca_lock_uses {
    uint32_t n, capacity;
    struct sca_lock_use *of;
};

struct sca_lock_waits {
    struct sca_lock_uses waits, holders; /* 0: nobody waited */
    double *contended;                   /* [rank * intervals + interval] seconds; NULL: none */
};

void sca_lock_waits_read(struct sca_workspace *space, const struct sca_ppg_run *run,
                         struct sca_lock_waits *out);

#endif
