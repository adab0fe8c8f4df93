/* Trails that are shortened by whole rounds. */
#include "measured.h"
#include "trace/call_sequence.h"
#include "check_main.h"

#include <string.h>

enum { SITES = 6 };

static struct sca_workspace space;
static struct sca_transitions transitions;

static void shorten(struct sca_transition *list, uint32_t n, double factor, uint64_t spare)
{
    space = test_room();
    transitions = (struct sca_transitions){.list = list, .n = n, .nsites = SITES};
    sca_call_sequence_shorten(&space, &transitions, factor, spare);
}

static const struct sca_transition *transition(uint32_t from, uint32_t to)
{
    for (uint32_t i = transitions.first[from]; i < transitions.first[from + 1]; i++)
        if (transitions.list[i].to == to)
            return &transitions.list[i];
    ck_abort_msg("no way from %u to %u", from, to);
}

static void check(uint32_t from, uint32_t to, uint64_t quota, bool onward)
{
    ck_assert_uint_eq(transition(from, to)->quota, quota);
    ck_assert_int_eq(transition(from, to)->onward, onward);
}

START_TEST(a_trail_that_is_not_shortened_stays)
{
    struct sca_transition list[] = {{.from = 1, .to = 2, .count = 1},
                                    {.from = 0, .to = 1, .count = 1},
                                    {.from = 1, .to = 1, .count = 9}};
    shorten(list, 3, 1, 0);
    check(0, 1, 1, true);
    check(1, 1, 9, false);
    check(1, 2, 1, true);
    ck_assert_uint_eq(transitions.list[1].to, 1); /* the most frequent first */
    sca_workspace_free(&space);
}
END_TEST

START_TEST(a_loop_goes_round_less_often)
{
    struct sca_transition list[] = {{.from = 0, .to = 1, .count = 1},
                                    {.from = 1, .to = 1, .count = 9},
                                    {.from = 1, .to = 2, .count = 1}};
    shorten(list, 3, 3, 0);
    check(0, 1, 1, true);
    check(1, 1, 3, false);
    check(1, 2, 1, true);
    sca_workspace_free(&space);
}
END_TEST

/* Ten times from 1 to 2, four times round at 2 each, nine times back: by three, the inner loop 13
 * times, three times back, and four times from 1 to 2. */
START_TEST(what_comes_to_a_call_leaves_it)
{
    struct sca_transition list[] = {{.from = 0, .to = 1, .count = 1},
                                    {.from = 1, .to = 2, .count = 10},
                                    {.from = 2, .to = 2, .count = 40},
                                    {.from = 2, .to = 1, .count = 9}};
    shorten(list, 4, 3, 0);
    ck_assert_uint_eq(transition(2, 2)->quota, 13);
    ck_assert_uint_eq(transition(2, 1)->quota, 3);
    ck_assert_uint_eq(transition(1, 2)->quota, 4);
    ck_assert_uint_eq(transition(0, 1)->quota, 1);
    sca_workspace_free(&space);
}
END_TEST

/* Twice there and back of a loop of 20 rounds, divided by ten: less than once. */
START_TEST(rare_rounds_are_kept_once_while_there_is_room)
{
    const struct sca_transition list[] = {{.from = 0, .to = 1, .count = 1},
                                          {.from = 1, .to = 1, .count = 20},
                                          {.from = 1, .to = 2, .count = 2},
                                          {.from = 2, .to = 1, .count = 2}};
    struct sca_transition copy[4];
    memcpy(copy, list, sizeof copy);
    shorten(copy, 4, 10, 2);
    ck_assert_uint_eq(transition(1, 1)->quota, 2);
    ck_assert_uint_eq(transition(1, 2)->quota, 1);
    ck_assert_uint_eq(transition(2, 1)->quota, 1);
    sca_workspace_free(&space);
    memcpy(copy, list, sizeof copy);
    shorten(copy, 4, 10, 1);
    ck_assert_uint_eq(transition(1, 2)->quota, 0);
    ck_assert_uint_eq(transition(2, 1)->quota, 0);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(what_is_on_no_trail_is_gone)
{
    struct sca_transition list[] = {{.from = 0, .to = 1, .count = 1},
                                    {.from = 4, .to = 5, .count = 7}};
    shorten(list, 2, 1, 100);
    check(0, 1, 1, true);
    ck_assert_uint_eq(transition(4, 5)->quota, 0);
    sca_workspace_free(&space);
    shorten(NULL, 0, 2, 100);
    ck_assert_uint_eq(transitions.first[SITES], 0);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("call_sequence", a_trail_that_is_not_shortened_stays, a_loop_goes_round_less_often,
          what_comes_to_a_call_leaves_it, rare_rounds_are_kept_once_while_there_is_room,
          what_is_on_no_trail_is_gone)
