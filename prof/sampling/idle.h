/*
 * Waiting that is not one MPI call.
 *
 * An MPI library that is told to (Open MPI's mpi_yield_when_idle, set where ranks exceed cores)
 * waits by sched_yield, interposed here. A task clock is set and stopped anew at each of those
 * switches, which costs more than the switch, and samples that fall into a wait say nothing that
 * the call's own times do not. So a thread that has yielded inside an MPI call is not sampled until
 * it leaves. Counters that the user asked for go on. Where ranks share cores, a yield is where a
 * waiting rank loses its core, which saves asking (cpu_time.h).
 *
 * A program may wait by itself: it looks again and again (MPI_Test, MPI_Iprobe, ...). After a look
 * that found nothing, what lies before the next one is waiting too if it takes less than
 * SCA_IDLE_NS, or is a short sleep or yield; with it the local calls in between (MPI_Wtime). What a
 * sleep itself takes is left out where it is seen (outside/sleeps.c). What such looks cost costs
 * nobody anything. Work in smaller pieces than that, a look after each, is taken for waiting.
 */
#ifndef SCA_PROF_IDLE_H
#define SCA_PROF_IDLE_H

#include "sampling/interval.h"
#include <stdbool.h>

#define SCA_IDLE_NS 4000u /* CPU time */

/* Once, by one thread: learns what a short sleep takes here, in some 0.7 ms. */
void sca_idle_init(void);

/* A call of `function` begins after a look in vain and this interval. If that was idled away, the
 * interval is emptied, and its wall time returned; else 0. */
uint64_t sca_idle_between(unsigned function, struct sca_interval *interval);
/* The call is left: it waited, looked and found nothing, or followed one that did. What comes next
 * is no more of the waiting, though it may not have yielded itself. True: still nothing found. */
bool sca_idle_exit(unsigned function, bool found_nothing, uint64_t idle_ns);

/* The call that waits has called code of the program's: it is sampled again. */
void sca_idle_interrupt(void);

#endif
