/* Threads that wait for each other's locks: what was asked before the other one waited says
 * nothing. */
#include "check_main.h"
#include "waits/locks.h"

#include <string.h>

enum { MOST = 4 };

static struct scalana_activity threads[MOST];
static struct sca_look look;

static void begin(uint32_t n)
{
    memset(threads, 0, sizeof threads);
    look = (struct sca_look){.nranks = 2, .activities = threads};
    look.run.nactivities = n;
    for (uint32_t i = 0; i < n; i++) {
        threads[i].thread = 100 + i;
        threads[i].location = 1;
        threads[i].held = SCALANA_NONE;
    }
}

static void waits(uint32_t i, uint32_t holder, double since_s, double asked_s)
{
    threads[i].doing = SCALANA_WAITS_FOR_LOCK;
    threads[i].holder = 100 + holder;
    threads[i].since_s = since_s;
    threads[i].asked_s = asked_s;
}

static uint32_t found(struct sca_lock_cycle *first)
{
    struct sca_lock_cycles all;
    ck_assert_int_eq(sca_locks_find(&look, &all), SCALANA_OK);
    uint32_t n = all.n;
    *first = all.list[0];
    sca_locks_free(&all);
    return n;
}

START_TEST(two_that_wait_for_each_other_are_found)
{
    struct sca_lock_cycle cycle;
    begin(3);
    waits(1, 2, 10, 2);
    waits(2, 1, 9, 3);
    ck_assert_uint_eq(found(&cycle), 1);
    ck_assert_uint_eq(cycle.rank, 1);
    ck_assert_uint_eq(cycle.n, 2);
    ck_assert_uint_eq(cycle.activity[0], 1);
    ck_assert_uint_eq(cycle.activity[1], 2);
}
END_TEST

/* Thread 2 had the lock 8 s ago; it began to wait 1 s ago, and may have let it go before. */
START_TEST(what_was_asked_before_the_holder_waited_is_no_reason)
{
    struct sca_lock_cycle cycle;
    begin(3);
    waits(1, 2, 9, 8);
    waits(2, 1, 1.5, 0.5);
    ck_assert_uint_eq(found(&cycle), 0);
    threads[1].asked_s = 1;
    ck_assert_uint_eq(found(&cycle), 1);
}
END_TEST

START_TEST(who_waits_for_one_that_computes_is_in_none)
{
    struct sca_lock_cycle cycle;
    begin(2);
    waits(1, 0, 20, 1);
    ck_assert_uint_eq(found(&cycle), 0);
}
END_TEST

START_TEST(a_thread_may_wait_for_itself)
{
    struct sca_lock_cycle cycle;
    begin(1);
    waits(0, 0, 5, 1);
    ck_assert_uint_eq(found(&cycle), 1);
    ck_assert_uint_eq(cycle.n, 1);
}
END_TEST

/* The one that has the lock receives from its own rank: the other one would have to send. */
START_TEST(a_message_of_the_own_rank_closes_the_circle)
{
    struct sca_lock_cycle cycle;
    struct scalana_awaited own = {.kind = SCALANA_AWAITS_SENDER, .location = 1};
    begin(2);
    waits(1, 0, 5, 1);
    threads[0].doing = SCALANA_IN_MPI_CALL;
    threads[0].since_s = 6;
    threads[0].nawaited = threads[0].nknown = 1;
    threads[0].awaited = &own;
    ck_assert_uint_eq(found(&cycle), 1);
    ck_assert_uint_eq(cycle.n, 2);
    own.location = 0;
    ck_assert_uint_eq(found(&cycle), 0);
}
END_TEST

SCA_SUITE("live_locks", two_that_wait_for_each_other_are_found,
          what_was_asked_before_the_holder_waited_is_no_reason,
          who_waits_for_one_that_computes_is_in_none, a_thread_may_wait_for_itself,
          a_message_of_the_own_rank_closes_the_circle)
