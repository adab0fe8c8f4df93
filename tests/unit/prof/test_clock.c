/* The node clock agrees with CLOCK_MONOTONIC and never goes back; the state lock excludes. */
#include "clock/clock.h"
#include "base/guard.h"
#include "check_main.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 5000, NEAR_NS = 2000 };

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* How far the clock lies outside the two readings around it: the least of many tries, since the
 * scheduler may come in between. */
static uint64_t distance(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 200; i++) {
        uint64_t before = monotonic(), now = sca_clock_now(), after = monotonic(), off = 0;
        if (now < before)
            off = before - now;
        else if (now > after)
            off = now - after;
        if (off < least)
            least = off;
    }
    return least;
}

START_TEST(follows_the_kernel_clock)
{
    sca_clock_init();
    for (int i = 0; i < 25; i++) {
        ck_assert_uint_lt(distance(), NEAR_NS);
        usleep(i < 20 ? 1000 : 100000);
    }
}
END_TEST

START_TEST(never_goes_back)
{
    sca_clock_init();
    uint64_t last = sca_clock_now();
    for (int i = 0; i < 2000000; i++) {
        uint64_t now = sca_clock_now();
        ck_assert(now >= last);
        last = now;
    }
}
END_TEST

/* Processes of a node calibrate apart; what one reads lies between the other's readings. */
START_TEST(processes_agree)
{
    int there[2], back[2];
    uint64_t theirs;
    ck_assert_int_eq(pipe(there) | pipe(back), 0);
    pid_t child = fork();
    sca_clock_init();
    if (!child) {
        while (read(there[0], &theirs, sizeof theirs) == (ssize_t)sizeof theirs && theirs) {
            theirs = sca_clock_now();
            if (write(back[1], &theirs, sizeof theirs) < 0)
                _exit(1);
        }
        _exit(0);
    }
    for (int i = 0; i < 200; i++) {
        uint64_t before = sca_clock_now();
        ck_assert_int_gt(write(there[1], &before, sizeof before), 0);
        ck_assert_int_gt(read(back[0], &theirs, sizeof theirs), 0);
        uint64_t after = sca_clock_now();
        ck_assert_uint_le(before, theirs + NEAR_NS);
        ck_assert_uint_le(theirs, after + NEAR_NS);
        usleep(1000);
    }
    theirs = 0;
    ck_assert_int_gt(write(there[1], &theirs, sizeof theirs), 0);
    waitpid(child, NULL, 0);
}
END_TEST

/* Until 0.1 s from now; how far the clock was ahead of a reading made after it, at most. */
static void *read_on(void *ahead_ns)
{
    uint64_t end = monotonic() + 100000000u, *most = ahead_ns;
    for (uint64_t after = 0; after < end;) {
        uint64_t now = sca_clock_now();
        after = monotonic();
        if (now > after && now - after > *most)
            *most = now - after;
    }
    return NULL;
}

/* A young clock is taken anew at 0.4 ms, 0.8 ms ... of age, by whichever thread sees first that it
 * is time. A thread that saw it too must not do it again. */
START_TEST(threads_agree)
{
    uint64_t ahead_ns[THREADS] = {0};
    pthread_t thread[THREADS];
    sca_clock_init();
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, read_on, &ahead_ns[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        ck_assert_uint_lt(ahead_ns[i], 10 * NEAR_NS);
}
END_TEST

static long counter;

static void *count_up(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        sca_guard_lock();
        sca_guard_lock(); /* a thread may nest it */
        counter++;
        sca_guard_unlock();
        sca_guard_unlock();
    }
    return sca_thread.in_tool ? &counter : unused;
}

START_TEST(the_state_lock_excludes)
{
    pthread_t thread[THREADS];
    void *marked;
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, count_up, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &marked);
        ck_assert_ptr_null(marked);
    }
    ck_assert_int_eq(counter, (long)THREADS * ROUNDS);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("clock");
    TCase *tests = tcase_create("clock");
    tcase_add_test(tests, follows_the_kernel_clock);
    tcase_add_test(tests, never_goes_back);
    tcase_add_test(tests, processes_agree);
    tcase_add_loop_test(tests, threads_agree, 0, 20);
    tcase_add_test(tests, the_state_lock_excludes);
    suite_add_tcase(suite, tests);
    return suite;
}
