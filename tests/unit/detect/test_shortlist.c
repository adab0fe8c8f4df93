/* Which findings are replayed: the greatest, then those that hold up one rank longest. */
#include "price/shortlist.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 2, MANY = SCA_SHORTLIST + 6 };

static struct program p;
static struct measured d;
static struct sca_finding list[MANY];
static const struct sca_finding *out[SCA_SHORTLIST];
static double factors[MANY][RANKS];

/* Both ranks have ten seconds of the work. */
static void open_program(void)
{
    p = program_new();
    program_run(&p, RANKS, (double[]){10, 10}, (double[]){0, 0});
    d = measured_open(p.model);
}

static void close_program(void)
{
    measured_close(&d);
}

/* Equalised, rank 0 and rank 1 lose that part of their ten seconds. */
static void put(uint32_t i, double excess, double of_first, double of_second)
{
    factors[i][0] = 1 - of_first;
    factors[i][1] = 1 - of_second;
    list[i] = (struct sca_finding){
        .nvertices = 1, .vertices = &p.work, .transform.factor = factors[i], .excess = excess};
}

static uint32_t shortlist(uint32_t n, double least)
{
    const struct sca_finding *items[MANY];
    const struct sca_finding_list of = {.count = n, .items = items};
    for (uint32_t i = 0; i < n; i++)
        items[i] = &list[i];
    return sca_shortlist(&d.space, &d.m[0], &of, least, out);
}

START_TEST(of_none_there_is_none)
{
    ck_assert_uint_eq(shortlist(0, 1), 0);
}
END_TEST

START_TEST(the_greatest_come_first)
{
    put(0, 1, 0.1, 0);
    put(1, 3, 0.1, 0);
    put(2, 2, 0.1, 0);
    ck_assert_uint_eq(shortlist(3, 1), 3);
    ck_assert(out[0] == &list[1] && out[1] == &list[2] && out[2] == &list[0]);
}
END_TEST

/* What is taken from a rank, two ranks can gain: of 1 s that is 2 s, and half of 4 s may be tried.
 */
START_TEST(what_cannot_gain_enough_is_left_out)
{
    put(0, 1, 0.1, 0);
    ck_assert_uint_eq(shortlist(1, 3.9), 1);
    ck_assert_uint_eq(shortlist(1, 4.1), 0);
    put(0, 1, 0, 0); /* nothing is equalised */
    ck_assert_uint_eq(shortlist(1, 0.1), 0);
}
END_TEST

START_TEST(what_only_a_replay_tells_is_tried)
{
    put(0, 0, 0, 0);
    list[0].transform.factor = NULL; /* it rotates */
    put(1, 0, 0, 0);
    list[1].vertices = &p.sum; /* transfers */
    ck_assert_uint_eq(shortlist(2, 100), 2);
}
END_TEST

/* More than fit: half by excess, the rest by what one rank loses. */
START_TEST(those_that_hold_up_one_rank_come_in)
{
    for (uint32_t i = 0; i < MANY; i++)
        put(i, MANY - i, 0.1, 0.1);
    put(MANY - 1, 0.5, 0.9, 0);
    ck_assert_uint_eq(shortlist(MANY, 1), SCA_SHORTLIST);
    for (uint32_t i = 0; i < SCA_SHORTLIST / 2; i++)
        ck_assert_ptr_eq(out[i], &list[i]);
    ck_assert_ptr_eq(out[SCA_SHORTLIST / 2], &list[MANY - 1]);
    ck_assert_ptr_eq(out[SCA_SHORTLIST / 2 + 1], &list[SCA_SHORTLIST / 2]);
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {
        of_none_there_is_none, the_greatest_come_first, what_cannot_gain_enough_is_left_out,
        what_only_a_replay_tells_is_tried, those_that_hold_up_one_rank_come_in};
    Suite *suite = suite_create("shortlist");
    TCase *tcase = tcase_create("shortlist");
    tcase_add_checked_fixture(tcase, open_program, close_program);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
