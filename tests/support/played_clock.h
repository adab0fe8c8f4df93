/* A clock of the kernel as a test plays it, for the process and those it forks: clock_gettime() of
 * programs that link this is here. A clock that nobody plays is the kernel's own. */
#ifndef SCA_TEST_PLAYED_CLOCK_H
#define SCA_TEST_PLAYED_CLOCK_H

#include <stdint.h>
#include <time.h>

/* From here on a reading of this clock, and of no other, is step_ns later than the one before it;
 * with 0 it stands still. */
void played_clock(clockid_t clock, uint64_t step_ns);
/* The clock that is played goes on by so much. */
void played_clock_advance(uint64_t ns);
/* How often it was read since then, by all of the processes. */
uint64_t played_clock_readings(void);

#endif
