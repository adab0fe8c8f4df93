/*
 * The clocks. Node clock: the TSC disciplined by CLOCK_MONOTONIC, or CLOCK_MONOTONIC itself where
 * the kernel does not trust the TSC; nanoseconds, comparable between ranks of one node, never
 * going back on one thread. CPU clock: this
 * thread's CPU time; costs a system call, so it is read only where a node has more ranks x
 * threads than cores (interval.h). Async-signal-safe.
 */
#ifndef SCA_PROF_CLOCK_H
#define SCA_PROF_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A first reading, so that sca_clock_init() finds a baseline and need not wait for one. */
void sca_clock_prepare(void);
void sca_clock_init(void);
uint64_t sca_clock_now(void);
uint64_t sca_clock_cpu(void);
uint64_t sca_clock_process(void); /* CPU time of all threads of this process */
/* For how long this library's own work takes: the CPU clock where ranks share cores, since others
 * may have the core in between, else the node clock. */
uint64_t sca_clock_work(void);
const char *sca_clock_source(void); /* "tsc" or "monotonic" */
/* More ranks on this node than cores they may use: set once, after MPI_Init. */
bool sca_clock_is_crowded(void);
void sca_clock_set_crowded(bool crowded);
/* Whether they do if each rank computes by so many threads: by more than have a core each, which
 * is set once, too; at first any number has. */
bool sca_clock_is_crowded_by(unsigned threads);
void sca_clock_set_threads(unsigned most);

#endif
