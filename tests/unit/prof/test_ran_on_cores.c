/* Which cores a rank's threads were on, as it is written down; and which ones are idle beside. */
#include "clock/core_use.h"
#include "clock/free_cores.h"
#include "check_main.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT = 2048 };

/* The highest processor that this process may use; the calling thread is on it from then on. */
static int stay_on_last(void)
{
    cpu_set_t allowed, one;
    int last = 0;
    ck_assert_int_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    for (int i = 0; i < CPU_SETSIZE; i++)
        last = CPU_ISSET(i, &allowed) ? i : last;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    return last;
}

/* Numbers that no thread here has for the runtime, which notes their waits itself. */
static void *sampled(void *thread)
{
    uint32_t number = *(uint32_t *)thread;
    (void)stay_on_last();
    sca_core_use_sample(number, 2);
    sca_core_use_sample(number, 1);
    return NULL;
}

static void sample_on_thread(uint32_t number)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, sampled, &number), 0);
    pthread_join(thread, NULL);
}

static int last_core(void)
{
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    int last = stay_on_last();
    sched_setaffinity(0, sizeof all, &all);
    return last;
}

START_TEST(a_thread_is_where_its_samples_were)
{
    char text[TEXT], expected[TEXT];
    int core = last_core() % 256;
    ck_assert(!sca_core_use_is_sampled(3));
    sample_on_thread(5);
    sample_on_thread(3);
    sca_core_use_waited(3, 41000000);
    sca_core_use_waited(3, 1999999);
    sca_core_use_describe_threads(text, sizeof text);
    snprintf(expected, sizeof expected, "3 42 3 %d:1000;5 0 3 %d:1000", core, core);
    ck_assert_str_eq(text, expected);
    ck_assert(sca_core_use_is_sampled(3) && !sca_core_use_is_sampled(2));
    ck_assert_uint_ge(sca_core_use_longest_wait_ns(), 42999999);
}
END_TEST

/* Of the first, and of those beyond, nothing is kept here. */
START_TEST(other_numbers_are_left_alone)
{
    char text[TEXT];
    sca_core_use_sample(0, 1);
    sca_core_use_sample(SCA_CORE_USE_THREADS + 1, 1);
    sca_core_use_waited(SCA_CORE_USE_THREADS + 1, 1);
    sca_core_use_describe_threads(text, sizeof text);
    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(sca_core_use_longest_wait_ns(), 0);
}
END_TEST

START_TEST(what_does_not_fit_is_left_out_whole)
{
    char text[TEXT], whole[TEXT];
    sample_on_thread(3);
    sca_core_use_describe_threads(whole, sizeof whole);
    sample_on_thread(4);
    sca_core_use_describe_threads(text, strlen(whole) + 4);
    ck_assert_str_eq(text, whole);
}
END_TEST

START_TEST(a_rank_is_where_it_computed)
{
    char text[TEXT], expected[TEXT];
    int core = stay_on_last() % 256;
    sca_core_use_describe(UINT32_MAX, text, sizeof text);
    ck_assert_str_eq(text, "");
    sca_core_use_add(1000000);
    sca_core_use_describe(1, text, sizeof text);
    snprintf(expected, sizeof expected, "%d:1000", core);
    ck_assert_str_eq(text, expected);
    sca_core_use_describe(0, text, sizeof text);
    ck_assert_str_eq(text, "");
}
END_TEST

/* A child that is bound to one of several processors: only others are told, in per cent. Its parent
 * may use them all. */
START_TEST(only_cores_outside_the_binding_are_free)
{
    char text[TEXT], *at = text;
    int status;
    pid_t child = fork();
    if (!child) {
        long own = stay_on_last();
        sca_free_cores_begin();
        usleep(50000);
        sca_free_cores_describe(text, sizeof text);
        while (*at) {
            long first = strtol(at, &at, 10), last = *at == '-' ? strtol(at + 1, &at, 10) : first;
            long part = *at == ':' ? strtol(at + 1, &at, 10) : 0;
            if (part < 1 || part > 100 || (first <= own && own <= last))
                _exit(1);
            at += *at == ' ';
        }
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && !WEXITSTATUS(status));
    sca_free_cores_begin();
    sca_free_cores_describe(text, sizeof text);
    ck_assert_str_eq(text, ""); /* who may use what its parent may has none outside */
}
END_TEST

SCA_SUITE("ran on cores", a_thread_is_where_its_samples_were, other_numbers_are_left_alone,
          what_does_not_fit_is_left_out_whole, a_rank_is_where_it_computed,
          only_cores_outside_the_binding_are_free)
