/* A thread that polls, as readers see it. */
#include "profile/polls.h"
#include "check_main.h"

#define MS UINT64_C(1000000)

enum { LOOK = 21 }; /* the turn of the look that was made last */

/* It has looked since second 1, and has left a look in millisecond `exit_ms`. */
static struct sca_part_present polling(uint64_t exit_ms)
{
    return (struct sca_part_present){.turn = LOOK + 1,
                                     .detail = LOOK,
                                     .enter_ns = exit_ms * MS - 10,
                                     .exit_ns = exit_ms * MS,
                                     .site = 3,
                                     .left = 3,
                                     .thread = 1,
                                     .nawaited = 1,
                                     .polls_ns = 1000 * MS};
}

START_TEST(it_is_in_the_look_since_the_first_of_the_row)
{
    struct sca_part_present p = polling(9000);
    sca_polls_settle(&p, 9001 * MS);
    ck_assert_uint_eq(p.turn, LOOK);
    ck_assert_uint_eq(p.detail, LOOK);
    ck_assert_uint_eq(p.enter_ns, 1000 * MS);
    ck_assert_uint_eq(p.nawaited, 1 | SCA_PRESENT_POLLS);
    p = polling(9000);
    p.turn += 1; /* within the next look, which has not said yet what it awaits */
    p.enter_ns = 9000 * MS + 100;
    sca_polls_settle(&p, 9001 * MS);
    ck_assert_uint_eq(p.enter_ns, 1000 * MS);
    ck_assert_uint_eq(p.nawaited, SCA_PRESENT_POLLS);
}
END_TEST

START_TEST(who_has_not_looked_for_long_does_something_else)
{
    struct sca_part_present p = polling(9000);
    sca_polls_settle(&p, 11000 * MS);
    ck_assert_uint_eq(p.turn, LOOK + 1);
    ck_assert_uint_eq(p.exit_ns, 9000 * MS);
    p = polling(1001);
    p.turn += 1; /* it looks again, after much else */
    p.enter_ns = 1100 * MS;
    sca_polls_settle(&p, 1101 * MS);
    ck_assert_uint_eq(p.enter_ns, 1100 * MS);
    ck_assert_uint_eq(p.nawaited, 1);
}
END_TEST

START_TEST(who_never_looks_and_who_is_not_there_stay_as_they_are)
{
    struct sca_part_present p = polling(9000);
    p.polls_ns = 0;
    sca_polls_settle(&p, 9001 * MS);
    ck_assert_uint_eq(p.turn, LOOK + 1);
    p = polling(9000);
    p.thread = 0;
    sca_polls_settle(&p, 9001 * MS);
    ck_assert_uint_eq(p.turn, LOOK + 1);
}
END_TEST

SCA_SUITE("polls", it_is_in_the_look_since_the_first_of_the_row,
          who_has_not_looked_for_long_does_something_else,
          who_never_looks_and_who_is_not_there_stay_as_they_are)
