/*
 * A wait for a mutex that has lasted for seconds, as observers see it (struct sca_part_lock_wait):
 * where the thread waits, and which thread has the mutex. What is told once may be over when the
 * holder lets go: so the waiting thread wakes up from time to time, and asks again. Any thread that
 * waits outside MPI, not in a handler; errno is kept.
 */
#ifndef SCA_PROF_LONG_WAIT_H
#define SCA_PROF_LONG_WAIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sca_long_wait {
    uint64_t began_ns;
    bool told, lent; /* lent: the thread took a record for this wait alone */
};

struct sca_long_wait sca_long_wait_begin(void);
/* It still waits. */
void sca_long_wait_tell(struct sca_long_wait *wait, pthread_mutex_t *mutex, unsigned function,
                        const void *return_address, const void *cfa);
void sca_long_wait_end(const struct sca_long_wait *wait);

#endif
