/* Which iteration a context between two calls belongs to, where the loop goes round there. */
#include "check_main.h"
#include "timeline/loop_round.h"

/* In the order of the program: main { before, loop { head, first { inner, call }, middle, last,
 * tail }, behind }. */
enum {
    MAIN,
    BEFORE,
    LOOP,
    HEAD,
    FIRST,
    INNER,
    CALL,
    MIDDLE,
    LAST,
    TAIL,
    BEHIND,
    OUTSIDE,
    VERTICES
};

static const uint32_t ends[VERTICES] = {
    [MAIN] = VERTICES, [BEFORE] = LOOP, [LOOP] = BEHIND,    [HEAD] = FIRST,
    [FIRST] = MIDDLE,  [INNER] = CALL,  [CALL] = MIDDLE,    [MIDDLE] = LAST,
    [LAST] = TAIL,     [TAIL] = BEHIND, [BEHIND] = OUTSIDE, [OUTSIDE] = VERTICES};

static const uint32_t loops[] = {LOOP};
static const struct sca_loop_round loop_round = {ends, loops, 1};

static void lies(uint32_t previous, uint32_t next, uint32_t context, enum sca_loop_side side)
{
    ck_assert_int_eq(sca_loop_side_of(&loop_round, previous, next, context), side);
}

START_TEST(what_lies_behind_the_last_call_is_of_the_iteration_before)
{
    lies(LAST, CALL, TAIL, SCA_LOOP_BEFORE);
    lies(CALL, CALL, TAIL, SCA_LOOP_BEFORE);
    lies(CALL, CALL, MIDDLE, SCA_LOOP_BEFORE);
}
END_TEST

START_TEST(what_lies_ahead_of_the_first_call_is_of_the_next)
{
    lies(LAST, CALL, HEAD, SCA_LOOP_AFTER);
    lies(LAST, CALL, FIRST, SCA_LOOP_AFTER); /* around the next call alone */
    lies(CALL, CALL, INNER, SCA_LOOP_AFTER);
    lies(CALL, LAST, FIRST, SCA_LOOP_BEFORE); /* around the previous one alone */
}
END_TEST

START_TEST(what_is_around_both_or_between_them_may_be_of_either)
{
    lies(LAST, CALL, LOOP, SCA_LOOP_EITHER);
    lies(CALL, CALL, FIRST, SCA_LOOP_EITHER);
    lies(LAST, CALL, MIDDLE, SCA_LOOP_EITHER);
}
END_TEST

START_TEST(what_is_outside_of_the_loop_is_of_no_iteration)
{
    lies(BEFORE, CALL, BEFORE, SCA_LOOP_BEFORE); /* there is none before */
    lies(BEFORE, CALL, HEAD, SCA_LOOP_AFTER);
    lies(LAST, OUTSIDE, TAIL, SCA_LOOP_BEFORE);
    lies(LAST, OUTSIDE, BEHIND, SCA_LOOP_AFTER); /* nor after */
}
END_TEST

START_TEST(without_a_loop_all_is_of_the_call)
{
    const struct sca_loop_round none = {.ends = ends};
    for (uint32_t context = 0; context < VERTICES; context++)
        ck_assert_int_eq(sca_loop_side_of(&none, LAST, CALL, context), SCA_LOOP_AFTER);
}
END_TEST

SCA_SUITE("loop_round", what_lies_behind_the_last_call_is_of_the_iteration_before,
          what_lies_ahead_of_the_first_call_is_of_the_next,
          what_is_around_both_or_between_them_may_be_of_either,
          what_is_outside_of_the_loop_is_of_no_iteration, without_a_loop_all_is_of_the_call)
