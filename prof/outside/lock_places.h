/*
 * Where a lock comes from. A lock in a file's own memory is known by its address, which the file's
 * symbol table names; any other one by the call that made it (pthread_mutex_init, omp_init_lock
 * ...). Notes of such calls cost two stores. Of two that share a place the later one is known.
 * Where a lock lies that no call made, as a std::mutex on the heap, and an earlier one there was
 * never destroyed, the earlier one's call is named. Any thread, not in a handler; errno is kept.
 */
#ifndef SCA_PROF_LOCK_PLACES_H
#define SCA_PROF_LOCK_PLACES_H

#include <stdint.h>

/* A call that returns to this address made a lock. NULL: it is gone. Before MPI_Init, too. */
void sca_lock_places_made(const void *lock, const void *return_address);

/* Threads wait for a lock, which has that number now: books its origin (SCA_SAMPLE_LOCK_AT,
 * sca_part.h), if there is one. The state lock is not held. */
void sca_lock_places_book(const void *lock, uint16_t number);

#endif
