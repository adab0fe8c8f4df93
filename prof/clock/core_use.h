/*
 * On which cores of its host a rank computed, and each of its threads, and for how long. The kernel
 * keeps the number of a thread's core in its restartable-sequence area (stint.h), so that asking is
 * one load; else the C library is asked. By the kernel's numbers of processors.
 *
 * The rank: what its calls of MPI say that it computed (book.c); time counts for the core on which
 * it ends. The other threads: their samples. What they waited for a core, the kernel's account has
 * (blocked.h).
 *
 * The rank's threads may add at the same time: an addition may get lost then.
 */
#ifndef SCA_PROF_CORE_USE_H
#define SCA_PROF_CORE_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The calling thread has just computed for so long. Not for handlers. */
void sca_core_use_add(uint64_t cpu_ns);
/* "0:635 1:365": thousandths of all, by the number of the core, of the `most` cores that have most,
 * as far as they fit; "" if nothing was added. */
void sca_core_use_describe(uint32_t most, char *text, size_t size);

/* Threads beside the first, by their number (threads.h). Of those above there is nothing. */
enum { SCA_CORE_USE_THREADS = 64 };

/* The calling thread was found on its core, for so many sampling periods. In handlers. */
void sca_core_use_sample(uint32_t thread, unsigned periods);
bool sca_core_use_is_sampled(uint32_t thread);
/* It has waited so long for a core; threads with the same number add up. */
void sca_core_use_waited(uint32_t thread, uint64_t ns);
uint64_t sca_core_use_longest_wait_ns(void);
/* "1 13 412 0:635 1:365;2 0 9 1:1000": of each that was sampled its number, the milliseconds that
 * it waited for a core, its sampling periods, and as above of at most 8 cores. As many as fit. */
void sca_core_use_describe_threads(char *text, size_t size);

#endif
