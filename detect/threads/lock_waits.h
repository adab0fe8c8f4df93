/*
 * What a run says of locks: who had one while others waited, and where these waited
 * (SCA_SAMPLE_LOCK, SCA_SAMPLE_HOLDER, sca_part.h), by rank and interval; and how much longer the
 * rank took by that (SCA_SAMPLE_CONTENDED). Which thread a lock went to from which is known of most
 * waits (SCA_SAMPLE_HANDED_OVER). From the workspace.
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

struct sca_hand_over { /* of locks between two threads of a rank */
    uint32_t rank, from_thread, to_thread;
    uint32_t from, to; /* vertices: where the one had it, and the other waited */
    uint16_t number;   /* the lock's, on this rank; 0: it may be any */
    double count, seconds;
};

struct sca_hand_overs {
    uint32_t n, capacity;
    struct sca_hand_over *of;
};

struct sca_lock_origin { /* what a rank's lock is */
    uint32_t rank;
    uint16_t number;
    const struct sca_ppg_object *object;
};

struct sca_lock_origins {
    uint32_t n, capacity;
    struct sca_lock_origin *of; /* by rank, then number */
};

struct sca_lock_waits {
    struct sca_lock_uses waits, holders; /* 0: nobody waited */
    struct sca_hand_overs hand_overs;    /* by rank; beside waits, not more */
    struct sca_lock_origins origins;     /* of those that are known */
    double *contended;                   /* [rank * intervals + interval] seconds; NULL: none */
};

/* What the lock with a number is; NULL: not known. The run's. */
const struct sca_ppg_object *sca_lock_waits_object(const struct sca_lock_waits *locks,
                                                   uint32_t rank, uint16_t number);

void sca_lock_waits_read(struct sca_workspace *space, const struct sca_ppg_run *run,
                         struct sca_lock_waits *out);

#endif
