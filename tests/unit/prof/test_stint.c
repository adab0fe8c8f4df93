/* A stint ends when the thread is switched or signalled: the kernel's own counts say when. */
#include "clock/stint.h"
#include "check_main.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 2000, SPIN_NS = 100000 };

static volatile bool over;

static long switches(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void spin(long ns)
{
    struct timespec from, now;
    clock_gettime(CLOCK_MONOTONIC, &from);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < ns);
}

static bool lasts_at_all(void)
{
    sca_stint_init();
    for (int i = 0; i < 100; i++) {
        sca_stint_begin();
        if (sca_stint_lasts())
            return true;
    }
    return false;
}

static void *compete(void *unused)
{
    while (!over)
        ;
    return unused;
}

START_TEST(is_over_before_it_began)
{
    ck_assert(!sca_stint_lasts());
}
END_TEST

/* The core is shared with a thread that never stops. */
START_TEST(ends_with_every_switch)
{
    pthread_t competitor;
    cpu_set_t one;
    int ended = 0, lasted = 0;
    if (!lasts_at_all())
        return;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_int_eq(pthread_create(&competitor, NULL, compete, NULL), 0);
    for (int i = 0; i < SPINS; i++) {
        sca_stint_begin();
        long before = switches();
        spin(SPIN_NS);
        long after = switches();
        bool lasts = sca_stint_lasts();
        ck_assert(!lasts || after == before);
        lasted += lasts;
        ended += !lasts;
    }
    over = true;
    pthread_join(competitor, NULL);
    ck_assert_int_gt(lasted, 0);
    ck_assert_int_gt(ended, 0);
}
END_TEST

/* A sleep that was over before it began, on a busy core, is no switch. */
START_TEST(ends_with_a_sleep)
{
    if (!lasts_at_all())
        return;
    for (int slept = 0; slept < 100;) {
        sca_stint_begin();
        long before = switches();
        usleep(200);
        bool asleep = switches() != before;
        ck_assert(!asleep || !sca_stint_lasts());
        slept += asleep;
    }
}
END_TEST

static void ignore(int number)
{
    (void)number;
}

START_TEST(ends_with_a_signal)
{
    if (!lasts_at_all())
        return;
    signal(SIGUSR1, ignore);
    for (int i = 0; i < 100; i++) {
        sca_stint_begin();
        raise(SIGUSR1);
        ck_assert(!sca_stint_lasts());
    }
}
END_TEST

SCA_SUITE("stint", is_over_before_it_began, ends_with_every_switch, ends_with_a_sleep,
          ends_with_a_signal)
