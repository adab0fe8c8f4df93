/*
 * What a thread does inside the kernel (page faults, system calls) no sample of the task clock
 * sees: it is counted, and the next sample of the same interval between two MPI calls stands for it
 * as well. For what the kernel did there it was asked to by the code around that sample. Where an
 * MPI call came between, nobody knows which side it was on, and nothing is added.
 *
 * One state per thread; for a handler or while none can come. Nanoseconds.
 */
#ifndef SCA_PROF_KERNEL_TIME_H
#define SCA_PROF_KERNEL_TIME_H

#include <stdint.h>

/* From here on: the clock has been set. */
void sca_kernel_time_begin(void);

/* A sample comes that stands for so many periods, and for one such lot in each `unit_ns`: how many
 * with what was not seen since the one before. */
unsigned sca_kernel_time_periods(unsigned periods, uint64_t unit_ns);

#endif
