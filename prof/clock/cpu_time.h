/*
 * The calling thread's CPU time, mostly without the system call that reads its clock.
 *
 * As long as a thread keeps its core (stint.h), its CPU time goes on as the wall clock does. Where
 * it waits in MPI by sched_yield() (idle.h), nearly all its switches are in those calls: what
 * passes in one was the time of others, but for what the switch itself takes: learnt from readings.
 * So the clock is read where the thread was switched elsewhere, and after a row of switches
 * followed in this way, as long as keeps what the guesses add up to within some 5 us. That counts
 * only for computation in which the thread then loses its core: what is not interrupted is
 * measured by the wall clock.
 *
 * One state per thread; never in a handler. Nanoseconds.
 */
#ifndef SCA_PROF_CPU_TIME_H
#define SCA_PROF_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Too short for the scheduler to take the core away. */
#define SCA_CPU_TIME_SHORT_NS 4000u

/* At `now_ns` of sca_clock_now(), which was read a moment ago. */
uint64_t sca_cpu_time_at(uint64_t now_ns);
/* Whether that costs no system call. */
bool sca_cpu_time_is_free(uint64_t now_ns);
/* What is known for certain or nearly so: the CPU time at an earlier moment, and how long ago that
 * was; 0 if nothing is known yet. */
uint64_t sca_cpu_time_known(void);
uint64_t sca_cpu_time_age(uint64_t now_ns);

/* Around a sched_yield() in an MPI call. */
void sca_cpu_time_yields(void);
void sca_cpu_time_yielded(void);

#endif
