/* What a thread was blocked for is what it slept, whatever else wanted its core meanwhile. */
#include "clock/blocked.h"
#include "check_main.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SLEEP_NS   30000000u
#define COMPUTE_NS 40000000u
#define NEAR_NS    8000000u /* the kernel's timers and its bookkeeping: two ticks of 4 ms */

static volatile bool over;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec at;
    clock_gettime(clock, &at);
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static void compute(uint64_t ns)
{
    uint64_t until = read_clock(CLOCK_THREAD_CPUTIME_ID) + ns;
    while (read_clock(CLOCK_THREAD_CPUTIME_ID) < until)
        ;
}

static void *compete(void *unused)
{
    while (!over)
        ;
    return unused;
}

static void share_core(pthread_t *competitor)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert(!sched_setaffinity(0, sizeof one, &one));
    over = false;
    ck_assert(!pthread_create(competitor, NULL, compete, NULL));
}

static uint64_t off_core_ns(uint64_t wall_ns, uint64_t cpu_ns)
{
    return read_clock(CLOCK_MONOTONIC) - wall_ns - (read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
}

/* How often the thread gave its core up, as the kernel counts it. */
static long times_given_up(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) ? -1 : usage.ru_nvcsw;
}

/* Of the last time: how long the thread was off its core, and whether it gave it up at all. */
static uint64_t stall_ns;
static bool gave_up;

/* Computes and sleeps after a mark: what is said of the time off the core. */
static uint64_t blocked(bool marked, uint64_t slept_ns)
{
    struct timespec nap = {0, (long)slept_ns};
    long before = times_given_up();
    if (marked)
        sca_blocked_mark();
    uint64_t wall_ns = read_clock(CLOCK_MONOTONIC), cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
    compute(COMPUTE_NS / 2);
    if (slept_ns)
        nanosleep(&nap, NULL);
    compute(COMPUTE_NS / 2);
    stall_ns = off_core_ns(wall_ns, cpu_ns);
    uint64_t ns = marked ? sca_blocked_since(stall_ns) : sca_blocked_guess(stall_ns);
    gave_up = times_given_up() != before;
    return ns;
}

/* The clock went on although the thread neither ran nor waited nor slept: a hypervisor had it. */
START_TEST(time_that_nobody_accounts_for_is_no_sleep)
{
    uint64_t ns;
    do {
        long before = times_given_up();
        sca_blocked_mark();
        compute(COMPUTE_NS);
        ns = sca_blocked_since(SLEEP_NS);
        gave_up = times_given_up() != before;
    } while (gave_up); /* the kernel may put it to sleep, as for a page */
    ck_assert_uint_eq(ns, 0);
}
END_TEST

START_TEST(a_sleep_is_told_among_waits_for_the_core)
{
    pthread_t competitor;
    share_core(&competitor);
    uint64_t least_ns = UINT64_MAX; /* timers come late where many use the machine */
    for (int i = 0; i < 5; i++) {
        uint64_t ns = blocked(true, SLEEP_NS);
        ck_assert_uint_ge(ns + NEAR_NS, SLEEP_NS);
        least_ns = ns < least_ns ? ns : least_ns;
    }
    ck_assert_uint_le(least_ns, SLEEP_NS + NEAR_NS);
    over = true;
    pthread_join(competitor, NULL);
}
END_TEST

/* Among ten waits for the core the switches would say a tenth. */
START_TEST(a_first_sleep_is_no_less_than_an_older_reading_leaves)
{
    pthread_t competitor;
    share_core(&competitor);
    (void)blocked(false, 0);
    (void)blocked(true, SLEEP_NS);
    ck_assert_uint_ge(blocked(false, SLEEP_NS) + NEAR_NS, SLEEP_NS);
    over = true;
    pthread_join(competitor, NULL);
}
END_TEST

START_TEST(a_core_that_others_have_blocks_nobody)
{
    pthread_t competitor;
    uint64_t ns[5];
    share_core(&competitor);
    for (int i = 0; i < 5; i++) {
        bool awake;
        do { /* a guess is of all since the question before it, which may have slept in the kernel
              */
            (void)blocked(false, 0);
            awake = !gave_up;
            ns[i] = blocked(i % 2, 0);
        } while (!awake || gave_up);
    }
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(ns[i], 0);
    over = true;
    pthread_join(competitor, NULL);
}
END_TEST

/* A program that closes all descriptors and opens its own: nothing of its is read or closed. */
START_TEST(a_descriptor_that_is_taken_is_left_alone)
{
    char path[] = "/tmp/scalana-blocked-XXXXXX";
    int own = mkstemp(path);
    ck_assert_int_ge(own, 0);
    unlink(path);
    (void)blocked(true, 0);
    for (int fd = 512; fd < 540; fd++)
        dup2(own, fd);
    uint64_t ns = blocked(true, SLEEP_NS);
    ck_assert_uint_le(ns, stall_ns);
    sca_blocked_thread_stop();
    for (int fd = 512; fd < 540; fd++)
        ck_assert_int_ne(fcntl(fd, F_GETFD), -1);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("blocked");
    TCase *all = tcase_create("all");
    if (!access("/proc/thread-self/schedstat", R_OK)) { /* the kernel was built to keep account */
        tcase_add_test(all, time_that_nobody_accounts_for_is_no_sleep);
        tcase_add_test(all, a_sleep_is_told_among_waits_for_the_core);
        tcase_add_test(all, a_first_sleep_is_no_less_than_an_older_reading_leaves);
        tcase_add_test(all, a_core_that_others_have_blocks_nobody);
    }
    tcase_add_test(all, a_descriptor_that_is_taken_is_left_alone);
    suite_add_tcase(suite, all);
    return suite;
}
