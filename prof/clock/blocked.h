/*
 * How much of the time that the calling thread was off its core it was blocked (asleep, in I/O),
 * and how much it waited for a core that others had. The kernel keeps account of the latter in
 * /proc/thread-self/schedstat (second field: Documentation/scheduler/sched-stats). Where it does
 * not, or the program has closed our descriptor of it, the switches tell: by whom a segment on the
 * core was ended. That is a guess, and far off where one long sleep meets many short waits.
 * But a thread that never gave its core up was not blocked, and to ask for that takes no mark. Else
 * time that a hypervisor gave to other machines would be told as sleep: no account of ours has it.
 *
 * The descriptor is opened when it is first read. Never in a handler. Nanoseconds.
 */
#ifndef SCA_PROF_BLOCKED_H
#define SCA_PROF_BLOCKED_H

#include <stdbool.h>
#include <stdint.h>

/* From here on: one mark per thread. Some microseconds, where the caches are empty. */
void sca_blocked_mark(void);
/* The blocked part of `stall_ns` of wall time off the core since the mark. */
uint64_t sca_blocked_since(uint64_t stall_ns);
/* The same of a stall that has just ended and had no mark: exact if the thread was not blocked at
 * all since one of these was last called, which the first one takes as its beginning; or if that is
 * unlikely (below), so that all it was blocked since belongs to this stall. */
uint64_t sca_blocked_guess(uint64_t stall_ns);
/* It has not been blocked at all for so many of these questions that it is not likely to be soon:
 * no mark is worth what it takes. */
bool sca_blocked_is_unlikely(void);
/* How long a thread of this process, 0 for the calling one, has waited for a core since it began;
 * 0 where the kernel keeps no account. Opens a file: some microseconds. */
uint64_t sca_blocked_queued_ns(int tid);
/* The thread ends. */
void sca_blocked_thread_stop(void);

#endif
