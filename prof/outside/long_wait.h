/*
 * A wait for a lock that has lasted for seconds, as observers see it (struct sca_part_lock_wait):
 * where the thread waits, and which thread has the lock. What is told once may be over when the
 * holder lets go: so the waiting thread wakes up from time to time, and asks again. Any thread that
 * waits outside MPI, not in a handler; errno is kept.
 */
#ifndef SCA_PROF_LONG_WAIT_H
#define SCA_PROF_LONG_WAIT_H

#include <time.h>

/* Locks that are alike. */
struct sca_long_wait_kind {
    int (*take)(void *lock, const struct timespec *until); /* by CLOCK_MONOTONIC; ETIMEDOUT */
    int (*holder)(const void *lock); /* the kernel's number of the thread that has it; 0: unknown */
    unsigned function, held_by; /* enum sca_outside_function: of the call that waits, and of the
                                   one that the holder has it from */
};

/* Takes it, however long that lasts. Returns what the kind's `take` does, other than ETIMEDOUT. */
int sca_long_wait_take(void *lock, const struct sca_long_wait_kind *kind,
                       const void *return_address, const void *cfa);

#endif
