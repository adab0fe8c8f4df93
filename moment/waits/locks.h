/*
 * Threads of a rank that wait for each other by locks, and can never go on: each has what the next
 * one waits for. One of them may be in an MPI call instead that waits for its own rank alone.
 *
 * Who has a lock was asked for some time ago. It holds if the thread that had it has waited itself
 * for longer: who waits lets go of nothing.
 */
#ifndef SCA_LOCKS_H
#define SCA_LOCKS_H

#include "look/seen.h"

enum { SCA_LOCK_CYCLE = 8 }; /* as many threads of a rank have a record */

struct sca_lock_cycle {
    uint32_t rank, n;
    uint32_t activity[SCA_LOCK_CYCLE]; /* of the look; each waits for the next, the last for the
                                          first */
};

struct sca_lock_cycles {
    uint32_t n;
    struct sca_lock_cycle *list; /* at most one for each rank */
};

/* SCALANA_ENOMEM. */
int sca_locks_find(const struct sca_look *look, struct sca_lock_cycles *out);
void sca_locks_free(struct sca_lock_cycles *cycles);
/* Whether a rank has one. */
bool sca_locks_has(const struct sca_lock_cycles *cycles, uint32_t rank);

/* A wait for a lock of the rank; NULL: none. */
const struct scalana_activity *sca_locks_wait_of(const struct sca_look *look, uint32_t rank);

#endif
