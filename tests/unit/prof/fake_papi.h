/* What the fake PAPI library counts in a nanosecond of a thread's CPU time; or the places of these
 * events in what a program with one thread exports, `long long planted_events[FAKE_EVENTS]`, and
 * counts itself. */
#ifndef FAKE_PAPI_H
#define FAKE_PAPI_H

enum {
    FAKE_MISSES = 1,
    FAKE_L2_MISSES = 2,
    FAKE_CYCLES = 3,
    FAKE_FLOPS = 4,
    FAKE_INSTRUCTIONS = 7,
    FAKE_EVENTS
};

/* The running set overflows, here and now. */
void fake_papi_overflow(void *ucontext);

#endif
