/* Who of the ranks belongs to an abnormal place: some are dropped, and others are added. */
#include "judging.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

#include <string.h>

static struct judging g;

/* Rank 0 is chosen with so many samples of a second each; whether the others make them chance. */
static bool is_chance(double found, const double *of, uint32_t nvertices)
{
    judging_begin(&g, of, 1);
    g.ppg.nvertices = nvertices;
    g.seconds[0] = g.variance[0] = found;
    g.chosen[0] = true;
    uint32_t n = sca_abnormal_ranks_drop_chance(&g.j, 0, g.chosen);
    ck_assert_uint_eq(n, g.chosen[0]);
    return !g.chosen[0];
}

static const double none[JUDGED];

/* n ln(8 n) - n + 1/8 must be 12.5: it is 10.0 for four, and 13.6 for five. For a million places it
 * must be ln(8e8) = 20.5: it is 17.4 for six, and 21.3 for seven. */
START_TEST(the_more_is_tried_the_more_comes_by_chance)
{
    ck_assert(is_chance(4, none, 10));
    ck_assert(!is_chance(5, none, 10));
    ck_assert(is_chance(6, none, 1000000));
    ck_assert(!is_chance(7, none, 1000000));
}
END_TEST

/* Ten are usual, as their mean or as the median: 29 are 11.6, and 30 are 12.7. */
START_TEST(chance_is_measured_by_what_is_usual)
{
    static const double one_has_all[JUDGED] = {0, 70};
    ck_assert(is_chance(29, one_has_all, 10));
    ck_assert(!is_chance(30, one_has_all, 10));
    for (double found = 29; found <= 30; found++) {
        judging_begin(&g, none, 1);
        g.seconds[0] = g.variance[0] = found;
        g.chosen[0] = true;
        ck_assert_uint_eq(sca_abnormal_ranks_drop_chance(&g.j, 10, g.chosen), found > 29);
    }
}
END_TEST

/* Six others have a mean of ten; over seven it were 8.6, and 29 were many. */
START_TEST(absent_ranks_are_no_others)
{
    judging_begin(&g, (double[JUDGED]){29, 60}, 1);
    judging_lose(&g, 7);
    g.chosen[0] = true;
    ck_assert_uint_eq(sca_abnormal_ranks_drop_chance(&g.j, 0, g.chosen), 0);
}
END_TEST

/* The others have a mean of ninety. */
START_TEST(fewer_than_the_others_have_is_nothing_of_its_own)
{
    judging_begin(&g, (double[JUDGED]){20, 630}, 1);
    g.chosen[0] = true;
    ck_assert_uint_eq(sca_abnormal_ranks_drop_chance(&g.j, 0, g.chosen), 0);
}
END_TEST

START_TEST(exact_times_are_no_chance)
{
    judging_begin(&g, (double[JUDGED]){11, 10, 10, 10, 10, 10, 10, 10}, 0);
    g.chosen[0] = true;
    ck_assert_uint_eq(sca_abnormal_ranks_drop_chance(&g.j, 10, g.chosen), 1);
    g.chosen[0] = false;
    ck_assert_uint_eq(sca_abnormal_ranks_drop_chance(&g.j, 10, g.chosen), 0);
}
END_TEST

/* Rank 0 is chosen with 40 samples where ten are usual; whether rank 1 is like it. */
static bool is_alike(double found, double limit)
{
    judging_begin(&g, (double[JUDGED]){40, found, 10, 10, 10, 10, 10, 10}, 1);
    g.j.limit = limit;
    g.chosen[0] = true;
    uint32_t n = sca_abnormal_ranks_add_alike(&g.j, 10, g.chosen, 1);
    ck_assert(g.chosen[0]);
    ck_assert_uint_eq(n, 1 + g.chosen[1]);
    return g.chosen[1];
}

/* n ln(40 / 10.125) - 29.875 must be ln(160) = 5.08: it is 4.5 for 25, and 5.8 for 26. */
START_TEST(who_is_likelier_one_of_them_is_added)
{
    ck_assert(!is_alike(25, 1));
    ck_assert(is_alike(26, 1));
    ck_assert(is_alike(26, 2.55)); /* and over what equal ranks differ by */
    ck_assert(!is_alike(26, 2.65));
    ck_assert(!is_alike(0, 1));
}
END_TEST

START_TEST(who_left_nothing_or_has_no_samples_is_not_added)
{
    judging_begin(&g, (double[JUDGED]){40, 40, 40, 10, 10, 10, 10, 10}, 1);
    judging_lose(&g, 1);
    g.variance[2] = 0;
    g.chosen[0] = true;
    ck_assert_uint_eq(sca_abnormal_ranks_add_alike(&g.j, 10, g.chosen, 1), 1);
    ck_assert(!g.chosen[1] && !g.chosen[2]);
}
END_TEST

/* With rank 1 the mean of rank 2's others were 12.5, and 26 too few. Rank 1 is found first. */
START_TEST(who_was_added_is_no_other_any_more)
{
    judging_begin(&g, (double[JUDGED]){40, 30, 26, 10, 10, 10, 10, 10}, 1);
    g.chosen[0] = true;
    ck_assert_uint_eq(sca_abnormal_ranks_add_alike(&g.j, 10, g.chosen, 1), 3);
    ck_assert(g.chosen[1] && g.chosen[2]);
}
END_TEST

/* Rank 3 takes twice as long by exact times, and so does rank 5, which has `sampled` seconds by
 * samples, with a standard deviation of 0.3 s; others have ten. */
static bool is_as_slow(double around, double sampled)
{
    judging_begin(&g, (double[JUDGED]){10, 10, 10, 20, 10, sampled, 10, 10}, 0);
    for (uint32_t r = 0; r < JUDGED; r++)
        g.around[r] = r == 3 ? 30 : r == 5 ? around : 15;
    g.j.limit = 1.3;
    g.variance[5] = 0.09;
    g.chosen[3] = true;
    ck_assert_uint_eq(sca_abnormal_ranks_add_alike(&g.j, 10, g.chosen, 1), 1 + g.chosen[5]);
    return g.chosen[5];
}

/* Three standard deviations are 0.9 s, and the limit is 13 s. */
START_TEST(samples_may_not_deny_what_exact_times_prove)
{
    ck_assert(!is_as_slow(30, 12.0));
    ck_assert(is_as_slow(30, 12.2));
}
END_TEST

/* Where the others have nothing of the place, a rank must have some: a quarter of what it would
 * have. It takes as long for something else. */
START_TEST(who_has_nothing_of_the_place_is_not_as_slow)
{
    double rows[][JUDGED] = {{0, 0, 0, 20, 0, 1, 0, 0}, {0, 0, 0, 20, 0, 5, 0, 0}};
    for (int i = 0; i < 2; i++) {
        judging_begin(&g, rows[i], 0);
        for (uint32_t r = 0; r < JUDGED; r++)
            g.around[r] = r == 3 || r == 5 ? 30 : 15;
        g.j.usual = 0;
        g.variance[5] = 0.09;
        g.chosen[3] = true;
        sca_abnormal_ranks_add_alike(&g.j, 0, g.chosen, 1);
        ck_assert_int_eq(g.chosen[5], i);
    }
}
END_TEST

/* The others' mean is 15 with the rank or near it: half way to 30 is 23. */
START_TEST(who_is_nearer_the_others_is_not_as_slow)
{
    ck_assert(is_as_slow(24, 12.2));
    ck_assert(!is_as_slow(21, 12.2));
}
END_TEST

SCA_SUITE("abnormal members", the_more_is_tried_the_more_comes_by_chance,
          chance_is_measured_by_what_is_usual, absent_ranks_are_no_others,
          fewer_than_the_others_have_is_nothing_of_its_own, exact_times_are_no_chance,
          who_is_likelier_one_of_them_is_added, who_left_nothing_or_has_no_samples_is_not_added,
          who_was_added_is_no_other_any_more, samples_may_not_deny_what_exact_times_prove,
          who_is_nearer_the_others_is_not_as_slow, who_has_nothing_of_the_place_is_not_as_slow)
