/* What is told of a thread's CPU time without asking the kernel, against the kernel's own clock. */
#include "clock/cpu_time.h"
#include "busy.h"
#include "clock/clock.h"
#include "clock/stint.h"
#include "check_main.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 500, WORK_NS = 20000, CLOSE_NS = 50000 };

static volatile bool over;

/* A neighbour on the same core that waits by yielding too, as ranks do. */
static void *compete(void *unused)
{
    while (!over) {
        work(WORK_NS);
        sched_yield();
    }
    return unused;
}

static bool stints_are_known(void)
{
    sca_clock_init();
    sca_stint_init();
    sca_stint_begin();
    return sca_stint_lasts();
}

static void share_a_core(pthread_t *competitor)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_int_eq(pthread_create(competitor, NULL, compete, NULL), 0);
}

static bool is_close(uint64_t told_ns, uint64_t kernel_ns)
{
    return told_ns < kernel_ns + CLOSE_NS && kernel_ns < told_ns + CLOSE_NS;
}

START_TEST(knows_nothing_before_a_reading)
{
    ck_assert(!sca_cpu_time_is_free(sca_clock_now()));
    ck_assert_uint_eq(sca_cpu_time_known(), 0);
}
END_TEST

/* Moments after a yield are known without a reading, most of them if nobody else shares the core,
 * and nearly all are right: the kernel's reading, a moment later, may come after a switch. */
START_TEST(follows_yields)
{
    pthread_t competitor;
    unsigned unread = 0, close = 0;
    if (!stints_are_known())
        return;
    share_a_core(&competitor);
    for (int i = 0; i < ROUNDS; i++) {
        work(WORK_NS);
        sca_cpu_time_yields();
        sched_yield();
        sca_cpu_time_yielded();
        uint64_t now_ns = sca_clock_now();
        unread += sca_cpu_time_is_free(now_ns);
        uint64_t told_ns = sca_cpu_time_at(now_ns);
        close += is_close(told_ns, kernel_cpu_ns());
    }
    over = true;
    pthread_join(competitor, NULL);
    ck_assert_uint_gt(unread, ROUNDS / 10);
    ck_assert_uint_gt(close, ROUNDS * 9 / 10);
}
END_TEST

static long times_asleep(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_nvcsw;
}

/* Switched elsewhere than in a yield, as by a sleep: nothing is guessed. A sleep that was over
 * before it began, on a busy core, is no switch. */
START_TEST(reads_after_other_switches)
{
    if (!stints_are_known())
        return;
    for (int slept = 0; slept < 100;) {
        sca_cpu_time_at(sca_clock_now());
        long before = times_asleep();
        usleep(200);
        if (times_asleep() == before)
            continue;
        slept++;
        sca_cpu_time_yields();
        sched_yield();
        sca_cpu_time_yielded();
        uint64_t now_ns = sca_clock_now();
        ck_assert(!sca_cpu_time_is_free(now_ns));
        ck_assert(sca_cpu_time_at(now_ns) <= kernel_cpu_ns());
    }
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("cpu_time");
    TCase *tcase = tcase_create("cpu_time");
    tcase_add_test(tcase, knows_nothing_before_a_reading);
    tcase_add_test(tcase, follows_yields);
    tcase_add_test(tcase, reads_after_other_switches);
    suite_add_tcase(suite, tcase);
    return suite;
}
