#include "clock/core_step.h"
#include "clock/clock.h"

enum { STEPS = 4096, TRIES = 16 };

#ifdef __clang__
#define LOOP_IN_REGISTERS __attribute__((noinline))
#else
#define LOOP_IN_REGISTERS __attribute__((optimize("O2"), noinline))
#endif

/* Each step needs the one before; the compiler must not see through them. */
LOOP_IN_REGISTERS static uint64_t walk(uint64_t x)
{
    for (int i = 0; i < STEPS; i++) {
        x = x * UINT64_C(6364136223846793005) + 1;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

uint64_t sca_core_step_ps(void)
{
    uint64_t least = UINT64_MAX, x = 1;
    for (int i = 0; i < TRIES; i++) {
        uint64_t begin = sca_clock_now();
        x = walk(x);
        uint64_t ns = sca_clock_now() - begin;
        least = ns < least ? ns : least;
    }
    uint64_t ps = least * 1000 / STEPS;
    return ps ? ps : 1;
}
