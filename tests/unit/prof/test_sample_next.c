/* What samples are booked under when the call that their computation led to is entered. */
#include "arena/arena.h"
#include "sampling/sample_next.h"
#include "check_main.h"

enum { INNER = 1, OUTER = 2, LOOP = 10, BEHIND = 11 }; /* sites; nodes */

static struct sca_thread caller;

static uint32_t record(uint32_t node, uint32_t previous, uint32_t next)
{
    const uint32_t key[SCA_SAMPLE_KEY] = {node, previous, 0, next};
    uint32_t i = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    ck_assert_uint_ne(i, SCA_NONE);
    return i;
}

static struct sca_part_sample *at(uint32_t node, uint32_t previous, uint32_t next)
{
    return (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + record(node, previous, next);
}

static void sample(uint32_t node, uint32_t previous, unsigned periods, uint64_t events)
{
    struct sca_part_sample *s = at(node, previous, 0);
    s->count += periods;
    s->metric[1] += events;
    sca_sample_next_await(&caller, record(node, previous, 0), periods);
}

static void begin(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    caller = (struct sca_thread){0};
}

START_TEST(each_goes_to_the_call_that_came_next)
{
    begin();
    sample(LOOP, INNER, 1, 100);
    sca_sample_next_arrive(&caller, INNER, INNER, 300);
    sample(LOOP, INNER, 2, 200);
    sample(BEHIND, INNER, 4, 50);
    sample(BEHIND, INNER, 4, 60);
    sca_sample_next_arrive(&caller, INNER, OUTER, 500);
    ck_assert_uint_eq(at(LOOP, INNER, INNER)->count, 1);
    ck_assert_uint_eq(at(LOOP, INNER, INNER)->metric[1], 100);
    ck_assert_uint_eq(at(LOOP, INNER, OUTER)->count, 2);
    ck_assert_uint_eq(at(LOOP, INNER, OUTER)->metric[1], 200);
    ck_assert_uint_eq(at(BEHIND, INNER, OUTER)->count, 8);
    ck_assert_uint_eq(at(BEHIND, INNER, OUTER)->metric[1], 110);
    ck_assert_uint_eq(at(LOOP, INNER, INNER)->length_ns, 300);
    ck_assert_uint_eq(at(LOOP, INNER, OUTER)->length_ns, 2 * 500);
    ck_assert_uint_eq(at(BEHIND, INNER, OUTER)->length_ns, 8 * 500);
    ck_assert_uint_eq(at(LOOP, INNER, 0)->count, 0);
    ck_assert_uint_eq(at(LOOP, INNER, 0)->metric[1], 0);
    ck_assert_uint_eq(at(BEHIND, INNER, 0)->count, 0);
    ck_assert_uint_eq(caller.nahead, 0);
}
END_TEST

/* While the caller is in its call, others of the process compute: that is before the next one. */
START_TEST(what_others_did_meanwhile_waits_for_the_call_after)
{
    begin();
    sample(LOOP, INNER, 1, 0);
    sample(BEHIND, OUTER, 5, 0);
    sca_sample_next_arrive(&caller, INNER, OUTER, 500);
    ck_assert_uint_eq(at(LOOP, INNER, OUTER)->count, 1);
    ck_assert_uint_eq(at(BEHIND, OUTER, 0)->count, 5);
    sca_sample_next_arrive(&caller, OUTER, INNER, 700);
    ck_assert_uint_eq(at(BEHIND, OUTER, INNER)->count, 5);
    ck_assert_uint_eq(at(BEHIND, OUTER, 0)->count, 0);
}
END_TEST

/* They are counted, but where they led to is not known. */
START_TEST(of_too_many_places_none_is_lost)
{
    uint64_t known = 0, unknown = 0;
    begin();
    for (uint32_t node = 0; node < SCA_MOST_AHEAD + 5; node++)
        sample(LOOP + node, INNER, 3, 7);
    sca_sample_next_arrive(&caller, INNER, OUTER, 500);
    for (uint32_t node = 0; node < SCA_MOST_AHEAD + 5; node++) {
        known += at(LOOP + node, INNER, OUTER)->count;
        unknown += at(LOOP + node, INNER, 0)->count;
    }
    ck_assert_uint_eq(known, 3 * SCA_MOST_AHEAD);
    ck_assert_uint_eq(unknown, 3 * 5);
}
END_TEST

SCA_SUITE("sample_next", each_goes_to_the_call_that_came_next,
          what_others_did_meanwhile_waits_for_the_call_after, of_too_many_places_none_is_lost)
