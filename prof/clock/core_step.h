/*
 * How fast this core's clock is, without a counter: the time of one step of a chain of dependent
 * multiplications and additions, which takes the same number of cycles whatever else the core has
 * in its caches. The least of several short measurements counts, so that what interrupts one of
 * them does not matter. Takes about 0.1 ms. Does not allocate; not for a handler.
 */
#ifndef SCA_PROF_CORE_STEP_H
#define SCA_PROF_CORE_STEP_H

#include <stdint.h>

/* Picoseconds of a step; > 0. */
uint64_t sca_core_step_ps(void);

#endif
