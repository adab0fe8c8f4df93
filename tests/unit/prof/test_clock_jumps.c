/* The clock where the two that it is made of jump against each other. Both are played. */
#include "clock/clock.h"

#include <time.h>
#include <x86intrin.h>

static unsigned long long played_tsc(void);
static int played_time(clockid_t clock, struct timespec *out);
#define __rdtsc       played_tsc
#define clock_gettime played_time
#include "clock/clock.c" /* the clock, with these */
#undef __rdtsc
#undef clock_gettime

#include "check_main.h"

enum { TICKS = 2, STEP_NS = 20000, SECOND = 1000000000 };

static uint64_t ns, ticks;

static unsigned long long played_tsc(void)
{
    return ticks;
}

/* Each look takes a while, so that waiting for the clock ends. */
static int played_time(clockid_t clock, struct timespec *out)
{
    (void)clock;
    ns += 10;
    ticks += 10 * TICKS;
    *out = (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
    return 0;
}

static void pass(uint64_t some_ns)
{
    ns += some_ns;
    ticks += TICKS * some_ns;
}

static void begin(void)
{
    ns = 5ull * SECOND;
    ticks = 7000ull * SECOND;
    current = 0;
    origin = read_both();
    ck_assert(anchor_first());
    tsc_usable = true;
}

/* Two seconds in steps; none goes back, and the whole is right to `most_off` ns. */
static void two_seconds(uint64_t most_off)
{
    uint64_t began = sca_clock_now(), last = began, began_ns = ns;
    while (ns < began_ns + 2ull * SECOND) {
        pass(STEP_NS);
        uint64_t now = sca_clock_now();
        ck_assert_uint_ge(now, last);
        last = now;
    }
    ck_assert_int_le(llabs((long long)(last - began) - (long long)(ns - began_ns)),
                     (long long)most_off);
}

START_TEST(a_clock_that_does_not_jump_is_right)
{
    begin();
    two_seconds(1000);
    two_seconds(1000);
}
END_TEST

/* The time stamp goes on while the machine sleeps, or is another's. */
START_TEST(the_time_stamp_jumps_ahead)
{
    begin();
    two_seconds(1000);
    uint64_t before = sca_clock_now();
    ticks += 3600ull * SECOND * TICKS;
    uint64_t after = sca_clock_now();
    ck_assert_uint_ge(after, before);
    ck_assert_uint_lt(after - before, SECOND); /* the kernel's clock has not jumped */
    two_seconds(300000000);                    /* what was given out ahead is given back */
    two_seconds(1000);
}
END_TEST

START_TEST(the_time_stamp_jumps_back)
{
    begin();
    two_seconds(1000);
    ticks -= 3600ull * SECOND * TICKS;
    two_seconds(300000000);
    two_seconds(1000);
}
END_TEST

START_TEST(the_clock_of_the_kernel_jumps_ahead)
{
    begin();
    two_seconds(1000);
    uint64_t before = sca_clock_now();
    ns += 3600ull * SECOND;
    pass(LAST_SPAN_NS);
    uint64_t after = sca_clock_now();
    ck_assert_uint_ge(after, before + 3600ull * SECOND);
    two_seconds(1000);
}
END_TEST

SCA_SUITE("clock_jumps", a_clock_that_does_not_jump_is_right, the_time_stamp_jumps_ahead,
          the_time_stamp_jumps_back, the_clock_of_the_kernel_jumps_ahead)
