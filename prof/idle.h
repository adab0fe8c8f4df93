/*
 * Waiting that yields. An MPI library that is told to (Open MPI's mpi_yield_when_idle, set where
 * ranks exceed cores) waits by sched_yield, interposed here. A task clock is set and stopped
 * anew at each of those switches, which costs more than the switch, and samples that fall into
 * a wait say nothing that the call's own times do not. So a thread that has yielded inside
 * an MPI call is not sampled until it leaves. Counters that the user asked for go on. Where ranks
 * share cores, a yield is where a waiting rank loses its core, which saves asking (cpu_time.h).
 */
#ifndef SCA_PROF_IDLE_H
#define SCA_PROF_IDLE_H

#include <stdbool.h>

/* Leaving an MPI call in which the thread waited, or the first one that was not in vain after some
 * that were: what follows it is no more of the waiting, though it may not have yielded itself. */
void sca_idle_over(bool in_vain);

#endif
