/*
 * What a rank computes whose threads share cores with other ranks. If each thread had a core, the
 * rank would take as long as the one with most. Which that is, and how much more it has, is chance
 * in a single interval where pieces are handed out: who is on a core takes more of them. So all
 * that the first thread and its helpers compute counts, times the part that the busiest had of it
 * lately behind the same call path. Of the process's first thread only; not in a handler; no
 * allocation.
 */
#ifndef SCA_PROF_THREAD_TURNS_H
#define SCA_PROF_THREAD_TURNS_H

#include "sampling/threads.h"

/* Call paths are told apart by the low bits of their number. */
enum { SCA_THREAD_TURNS_SITES = 256 };

/* Whether helpers computed behind that call path lately. */
bool sca_thread_turns_known(uint32_t site);

/* What the interval takes, ns: `own_ns` is the first thread's. */
uint64_t sca_thread_turns_longest(uint32_t site, uint64_t own_ns,
                                  const struct sca_threads_work *helpers);
/* Whether who computes there is no chance: the first thread's part is nearly the same each time,
 * and it waits for one thread, not now for this, now for that. Then the longest path to it
 * (virtual_time.h) is what it takes in any case. */
bool sca_thread_turns_are_steady(uint32_t site);

#endif
