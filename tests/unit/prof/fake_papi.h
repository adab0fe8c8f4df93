/* What the fake PAPI library counts in a nanosecond of a thread's CPU time. */
#ifndef FAKE_PAPI_H
#define FAKE_PAPI_H

enum { FAKE_MISSES = 1, FAKE_CYCLES = 3, FAKE_INSTRUCTIONS = 7 };

/* The running set overflows, here and now. */
void fake_papi_overflow(void *ucontext);

#endif
