/*
 * How much of the time that the calling thread was off its core it was blocked (asleep, in I/O),
 * and how much it waited for a core that others had. The kernel keeps account of the latter in
 * /proc/thread-self/schedstat (second field: Documentation/scheduler/sched-stats). Where it does
 * not, or the program has closed our descriptor of it, the switches tell: by whom a stretch on the
 * core was ended. That is a guess, and far off where one long sleep meets many short waits.
 * But a thread that never gave its core up was not blocked, and the switches cost a quarter of the
 * account, so they are asked first where a program is not known to sleep.
 *
 * The descriptor is opened by a thread's first exact mark. Never in a handler. Nanoseconds.
 */
#ifndef SCA_PROF_BLOCKED_H
#define SCA_PROF_BLOCKED_H

#include <stdbool.h>
#include <stdint.h>

/* From here on: one mark per thread. Exactly: some microseconds, if it is not in the caches. */
void sca_blocked_mark(bool exactly);
/* The blocked part of `stall_ns` of wall time off the core since the mark. */
uint64_t sca_blocked_since(uint64_t stall_ns);
/* The thread ends. */
void sca_blocked_thread_stop(void);

#endif
