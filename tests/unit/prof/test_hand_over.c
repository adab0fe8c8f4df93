/* Virtual time of threads: what one waits for another, whom that is charged to, and what objects
 * keep. */
#include "sampling/hand_over.h"
#include "busy.h"
#include "clock/clock.h"
#include "sampling/threads.h"
#include "sampling/virtual_time.h"
#include "check_main.h"

#include <pthread.h>
#include <time.h>

enum { MS = 1000000, SOME = 5 * MS, MEMBERS = 2 };
#define FAR (1000ull * MS)

static int object, another;

static void begin(void)
{
    sca_virtual_time_mark(sca_clock_cpu());
}

/* Of a thread that has nothing to wait for, so long after the mark. */
static struct sca_thread_moment moment(uint64_t ns, uint32_t thread)
{
    struct sca_thread_moment m = sca_virtual_time_now();
    m.ns = m.run_ns = ns;
    m.thread = m.before = thread;
    return m;
}

START_TEST(who_goes_on_by_another_is_not_before_it)
{
    uint32_t thread = 0;
    begin();
    struct sca_thread_moment late = moment(FAR, 3);
    uint64_t ns = sca_virtual_time_pass(&late, &thread);
    ck_assert(ns > FAR / 2 && ns <= FAR); /* but for what it has computed itself */
    ck_assert_uint_eq(thread, 3);
    ck_assert_uint_eq(sca_virtual_time_pass(&late, &thread), 0);
    ck_assert_uint_ge(sca_virtual_time_now().ns, FAR);
}
END_TEST

START_TEST(what_was_told_in_an_earlier_interval_is_over)
{
    uint32_t thread;
    begin();
    struct sca_thread_moment late = moment(FAR, 1);
    begin();
    ck_assert_uint_eq(sca_virtual_time_pass(&late, &thread), 0);
    ck_assert_uint_lt(sca_virtual_time_now().ns, FAR);
}
END_TEST

/* Thread 4 has gone on a moment before, by thread 5, for which it had waited all the time. */
START_TEST(a_wait_is_charged_to_whom_the_other_waited_for)
{
    uint32_t thread = 0;
    begin();
    struct sca_thread_moment late = moment(FAR, 4);
    late.run_ns = FAR / 10;
    late.before = 5;
    ck_assert_uint_gt(sca_virtual_time_pass(&late, &thread), 0);
    ck_assert_uint_eq(thread, 5);
    ck_assert_double_gt(sca_virtual_time_part(), 0.4);
}
END_TEST

static uint64_t worked_ns; /* what the helper did before it told */

static void *tell(void *slot)
{
    sca_threads_arrive(slot);
    worked_ns = work(SOME);
    sca_hand_over_tell(&object, false);
    work(SOME);
    sca_hand_over_tell(&object, false); /* whoever waits was told before */
    sca_threads_leave(slot);
    return NULL;
}

static void run_beside(void *(*function)(void *))
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, function, sca_threads_take(false)), 0);
    pthread_join(thread, NULL);
}

START_TEST(a_wait_ends_by_who_told_first)
{
    uint32_t thread = 0;
    begin();
    struct sca_hand_over_wait wait = sca_hand_over_wait_begin(&object);
    ck_assert(sca_hand_over_is_awaited(&object));
    run_beside(tell);
    uint64_t ns = sca_hand_over_wait_end(&wait, &thread);
    ck_assert_msg(ns > SOME / 2 && ns < 3 * worked_ns / 2, "%lu", (long)ns);
    ck_assert_uint_ne(thread, 0);
    ck_assert(!sca_hand_over_is_awaited(&object));
}
END_TEST

START_TEST(nobody_told_so_nothing_was_waited_for)
{
    uint32_t thread;
    begin();
    run_beside(tell); /* nobody waits */
    struct sca_hand_over_wait wait = sca_hand_over_wait_begin(&object);
    ck_assert_uint_eq(sca_hand_over_wait_end(&wait, &thread), 0);
    wait = sca_hand_over_wait_begin(&another);
    run_beside(tell);
    ck_assert_uint_eq(sca_hand_over_wait_end(&wait, &thread), 0);
}
END_TEST

/* It ends as it is cancelled there. */
static void *end_in_a_wait(void *slot)
{
    sca_threads_arrive(slot);
    (void)sca_hand_over_wait_begin(&object);
    sca_hand_over_thread_stop();
    sca_threads_leave(slot);
    return NULL;
}

START_TEST(a_thread_that_ends_waits_no_longer)
{
    begin();
    run_beside(end_in_a_wait);
    ck_assert(!sca_hand_over_is_awaited(&object));
}
END_TEST

static int turn_of_helper;

static void *arrive_late(void *slot)
{
    sca_threads_arrive(slot);
    worked_ns = work(SOME);
    turn_of_helper = sca_hand_over_arrive(&object);
    sca_threads_leave(slot);
    return NULL;
}

START_TEST(a_barrier_is_left_at_the_latest_moment)
{
    uint32_t thread = 0;
    ck_assert_int_eq(sca_hand_over_arrive(&another), -1); /* not known */
    sca_hand_over_barrier(&object, MEMBERS);
    begin();
    for (int round = 0; round < 4; round++) {
        int turn = sca_hand_over_arrive(&object);
        run_beside(arrive_late);
        ck_assert_int_eq(turn, turn_of_helper);
        ck_assert_int_eq(turn, round % 2);
        uint64_t ns = sca_hand_over_depart(&object, turn, &thread);
        ck_assert_msg(round || (ns > SOME / 2 && ns < 3 * worked_ns / 2), "%lu", (long)ns);
    }
}
END_TEST

SCA_SUITE("hand over", who_goes_on_by_another_is_not_before_it,
          what_was_told_in_an_earlier_interval_is_over,
          a_wait_is_charged_to_whom_the_other_waited_for, a_wait_ends_by_who_told_first,
          nobody_told_so_nothing_was_waited_for, a_thread_that_ends_waits_no_longer,
          a_barrier_is_left_at_the_latest_moment)
