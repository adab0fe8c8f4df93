/* What is told of the time between two calls, on a core that another process shares. */
#include "sampling/interval.h"
#include "base/guard.h"
#include "busy.h"
#include "clock/clock.h"
#include "sampling/threads.h"
#include "check_main.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, SLEEP_NS = 30 * MS, ITERATION_NS = 8 * MS, EVERY = 25, CALL, AFTER_A_SLEEP };

static void compete(void)
{
    for (;;) {
        work(MS);
        sched_yield();
    }
}

/* An MPI call that waits, as they do where cores are shared. */
static void wait_by_yielding(void)
{
    for (int i = 0; i < 20; i++)
        sched_yield();
}

/* What iterations took, and the helper's work, by the kernel's clocks. */
static uint64_t worked_ns, slept_ns, helped_ns;

/* A busy machine wakes who sleeps later than was asked. */
static void take_a_nap(void)
{
    static const struct timespec nap = {0, SLEEP_NS};
    uint64_t begin = sca_clock_now();
    nanosleep(&nap, NULL);
    slept_ns += sca_clock_now() - begin;
}

static struct sca_interval iteration(uint32_t call, bool sleeps)
{
    struct sca_interval interval;
    wait_by_yielding();
    sca_interval_open(call, sca_clock_now());
    worked_ns += work(ITERATION_NS / 2);
    if (sleeps)
        take_a_nap();
    worked_ns += work(ITERATION_NS / 2);
    sca_interval_close(sca_clock_now(), &interval);
    return interval;
}

static void between(uint64_t least_ns, uint64_t told_ns, uint64_t most_ns)
{
    ck_assert_msg(told_ns * 10 > least_ns * 9 && told_ns * 10 < most_ns * 11, "%lu of %lu to %lu",
                  (long)told_ns, (long)least_ns, (long)most_ns);
}

static void near(uint64_t told_ns, uint64_t true_ns)
{
    between(true_ns, told_ns, true_ns);
}

/* What samples took is this library's, and not in the interval. */
START_TEST(samples_are_not_in_it)
{
    struct sca_interval interval;
    sca_interval_open(CALL, sca_clock_now());
    uint64_t took_ns = work(ITERATION_NS);
    sca_thread.sampling_ns += ITERATION_NS / 4;
    took_ns += work(ITERATION_NS / 4);
    sca_interval_close(sca_clock_now(), &interval);
    near(sca_interval_own(&interval), took_ns - ITERATION_NS / 4);
    sca_interval_open(CALL, sca_clock_now());
    took_ns = work(ITERATION_NS);
    sca_interval_close(sca_clock_now(), &interval);
    near(sca_interval_own(&interval), took_ns);
    sca_interval_open(CALL, sca_clock_now());
    took_ns = work(ITERATION_NS / 8);
    sca_thread.sampling_ns += 8 * took_ns; /* guessed too high */
    sca_interval_close(sca_clock_now(), &interval);
    ck_assert_uint_eq(interval.cpu_ns, 0);
}
END_TEST

/* Four times in a hundred iterations, behind a call of its own: a checkpoint. */
START_TEST(rare_sleeps_are_own_time_from_the_first_on)
{
    uint64_t blocked_ns = 0, cpu_ns = 0;
    for (int i = 1; i <= 4 * EVERY; i++) {
        bool sleeps = i % EVERY == 0;
        struct sca_interval interval = iteration(sleeps ? AFTER_A_SLEEP : CALL, sleeps);
        blocked_ns += interval.blocked_ns;
        cpu_ns += interval.cpu_ns;
    }
    between(4 * SLEEP_NS, blocked_ns, slept_ns);
    near(cpu_ns, worked_ns);
}
END_TEST

START_TEST(waiting_for_the_core_is_nobodys_time)
{
    uint64_t blocked_ns = 0, wall_ns = 0;
    for (int i = 0; i < 50; i++) {
        struct sca_interval interval = iteration(CALL, false);
        blocked_ns += interval.blocked_ns;
        wall_ns += interval.wall_ns;
    }
    ck_assert_uint_gt(wall_ns, (uint64_t)60 * ITERATION_NS); /* else nothing was tried */
    ck_assert_uint_lt(blocked_ns, (uint64_t)5 * MS);
}
END_TEST

static void *help(void *slot)
{
    sca_threads_arrive(slot);
    helped_ns += work(ITERATION_NS);
    sca_threads_leave(slot);
    return NULL;
}

static struct sca_interval wait_for_a_thread(void)
{
    struct sca_interval interval;
    pthread_t thread;
    wait_by_yielding();
    sca_interval_open(CALL, sca_clock_now());
    ck_assert_int_eq(pthread_create(&thread, NULL, help, sca_threads_take(false)), 0);
    pthread_join(thread, NULL);
    sca_interval_close(sca_clock_now(), &interval);
    return interval;
}

/* Another program has the core, whom the runtime does not know. */
START_TEST(a_thread_that_waits_for_the_core_makes_nobody_sleep)
{
    struct sca_interval all = {0};
    sca_clock_set_crowded(false);
    for (int i = 0; i < 30; i++) {
        struct sca_interval interval = wait_for_a_thread();
        sca_interval_add(&all, &interval);
    }
    ck_assert_uint_gt(all.wall_ns, (uint64_t)40 * ITERATION_NS); /* else nothing was tried */
    near(all.cpu_ns, helped_ns);
    ck_assert_uint_lt(all.blocked_ns, (uint64_t)3 * ITERATION_NS);
}
END_TEST

static pid_t competitor;

static void share_a_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    competitor = fork();
    ck_assert_int_ge(competitor, 0);
    if (!competitor)
        compete();
    sca_clock_init();
    sca_clock_set_crowded(true);
}

static void leave_core(void)
{
    kill(competitor, SIGKILL);
    waitpid(competitor, NULL, 0);
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("interval");
    TCase *shared = tcase_create("on a shared core");
    tcase_add_checked_fixture(shared, share_a_core, leave_core);
    tcase_add_test(shared, waiting_for_the_core_is_nobodys_time);
    tcase_add_test(shared, samples_are_not_in_it);
    if (!access("/proc/thread-self/schedstat", R_OK)) /* the kernel was built to keep account */ {
        tcase_add_test(shared, a_thread_that_waits_for_the_core_makes_nobody_sleep);
        tcase_add_test(shared, rare_sleeps_are_own_time_from_the_first_on);
    }
    suite_add_tcase(suite, shared);
    return suite;
}
