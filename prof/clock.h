/*
 * The clocks. Node clock: rdtsc scaled by one calibration per node, or CLOCK_MONOTONIC where the
 * TSC is not invariant; nanoseconds, comparable between ranks of one node. CPU clock: this
 * thread's CPU time; costs a system call, so it is read only where a node has more ranks x
 * threads than cores (sca_clock_gap_is_cpu). Async-signal-safe.
 */
#ifndef SCA_PROF_CLOCK_H
#define SCA_PROF_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void sca_clock_init(void);
uint64_t sca_clock_now(void);
uint64_t sca_clock_cpu(void);
bool sca_clock_gap_is_cpu(void);
void sca_clock_set_gap_cpu(bool on);

#endif
