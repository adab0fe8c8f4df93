/*
 * On which cores of its host a rank computed, and for how long: where ranks share cores, a slow one
 * shows by that. The kernel keeps the number of a thread's core in its restartable-sequence area
 * (stint.h), so that asking is one load. Time counts for the core on which it ends.
 *
 * Threads may add at the same time: an addition may get lost then. Not for handlers.
 */
#ifndef SCA_PROF_CORE_USE_H
#define SCA_PROF_CORE_USE_H

#include <stddef.h>
#include <stdint.h>

/* The calling thread has just computed for so long. */
void sca_core_use_add(uint64_t cpu_ns);
/* "0:635 1:365": thousandths of all, by the kernel's number of the core, as many as fit; "" if
 * nothing was added or the kernel does not tell. */
void sca_core_use_describe(char *text, size_t size);

#endif
