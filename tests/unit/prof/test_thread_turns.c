/* What a rank computes whose threads share its core. */
#include "sampling/thread_turns.h"
#include "sampling/virtual_time.h"
#include "check_main.h"

enum { MS = 1000000, SERIAL, POOL, SECOND_POOL, HELPED, PRODUCED, CHANCE };

static uint64_t longest(uint32_t site, uint64_t own_ns, uint64_t helpers_ns, double busiest)
{
    struct sca_threads_work helpers = {helpers_ns, busiest, 0};
    return sca_thread_turns_longest(site, own_ns, &helpers);
}

static void near(uint64_t told_ns, double true_ns)
{
    ck_assert_double_gt((double)told_ns, 0.95 * true_ns);
    ck_assert_double_lt((double)told_ns, 1.05 * true_ns);
}

START_TEST(alone_it_is_what_the_first_computes)
{
    ck_assert(!sca_thread_turns_known(SERIAL));
    near(longest(SERIAL, 5 * MS, 0, 0), 5 * MS);
    ck_assert(!sca_thread_turns_known(SERIAL));
}
END_TEST

/* Of ten pieces now the first thread has nine, now its helper: on a core for each both have five.
 */
START_TEST(who_has_more_of_a_pool_is_chance)
{
    uint64_t last_ns = 0;
    for (int i = 0; i < 1000; i++)
        last_ns = longest(POOL, i % 2 ? 9 * MS : MS, i % 2 ? MS : 9 * MS, 1);
    near(last_ns, 5 * MS);
    ck_assert(sca_thread_turns_known(POOL));
    near(longest(POOL, 10 * MS, 0, 1), 5 * MS); /* the helper had no turn */
}
END_TEST

/* Three helpers of which one has half of what they do. */
START_TEST(a_helper_that_always_has_more_is_waited_for)
{
    uint64_t last_ns = 0;
    for (int i = 0; i < 1000; i++)
        last_ns = longest(HELPED, MS, 12 * MS, 0.5);
    near(last_ns, 6 * MS);
}
END_TEST

START_TEST(call_paths_are_told_apart)
{
    for (int i = 0; i < 100; i++)
        (void)longest(SECOND_POOL, MS, 3 * MS, 1);
    near(longest(SERIAL, 4 * MS, 0, 1), 4 * MS);
    ck_assert(!sca_thread_turns_known(SERIAL));
}
END_TEST

static void wait_for(uint32_t thread)
{
    uint32_t charged;
    struct sca_thread_moment late = sca_virtual_time_now();
    late.ns += 100 * MS;
    late.run_ns = late.ns;
    late.thread = thread;
    (void)sca_virtual_time_pass(&late, &charged);
}

/* It has a quarter of what both compute each time, or now this, now that; and it waits for one
 * thread, or now for this, now for that. */
START_TEST(it_is_steady_if_nothing_is_chance)
{
    for (uint64_t i = 0; i < 1000; i++) {
        (void)longest(PRODUCED, 2 * MS + i % 100, 6 * MS, 1);
        (void)longest(CHANCE, i % 2 ? 7 * MS : MS, i % 2 ? MS : 7 * MS, 1);
    }
    sca_virtual_time_mark(0);
    wait_for(1);
    ck_assert(sca_thread_turns_are_steady(PRODUCED));
    ck_assert(!sca_thread_turns_are_steady(CHANCE));
    wait_for(2);
    ck_assert(!sca_thread_turns_are_steady(PRODUCED));
}
END_TEST

SCA_SUITE("thread turns", alone_it_is_what_the_first_computes, who_has_more_of_a_pool_is_chance,
          a_helper_that_always_has_more_is_waited_for, call_paths_are_told_apart,
          it_is_steady_if_nothing_is_chance)
