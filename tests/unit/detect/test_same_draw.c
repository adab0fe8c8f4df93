/* Whether few counts are drawn from many: against fractions worked out by hand. */
#include "stats/same_draw.h"
#include "check_main.h"

#include <math.h>

static double evidence(const double *few, const double *many, int places)
{
    struct sca_same_draw d = {0};
    for (int i = 0; i < places; i++)
        sca_same_draw_add(&d, few[i], many[i]);
    return sca_same_draw_evidence(&d);
}

/* With half a count imagined at each place, one count falls on the first with 3.5 / 5 if three of
 * four were there, with 0.5 / 2 if one was at the second; else with 1 / 2. */
START_TEST(one_count)
{
    ck_assert_double_eq_tol(evidence((double[]){1, 0}, (double[]){3, 1}, 2), log(1.4), 1e-9);
    ck_assert_double_eq_tol(evidence((double[]){1, 0}, (double[]){0, 1}, 2), log(0.5), 1e-9);
    ck_assert_double_eq_tol(evidence((double[]){1, 0}, (double[]){1, 1}, 2), 0, 1e-9);
}
END_TEST

/* (3.5 x 4.5) / (5 x 6) against (0.5 x 1.5) / (1 x 2). */
START_TEST(two_counts)
{
    ck_assert_double_eq_tol(evidence((double[]){2, 0}, (double[]){3, 1}, 2),
                            log(3.5 * 4.5 / (5 * 6) / (0.5 * 1.5 / 2)), 1e-9);
}
END_TEST

START_TEST(many_of_another_place_are_not_drawn)
{
    ck_assert_double_lt(evidence((double[]){8, 0}, (double[]){2, 98}, 2), -5);
    ck_assert_double_lt(evidence((double[]){40, 40}, (double[]){360, 40}, 2), 0);
    ck_assert_double_gt(evidence((double[]){36, 4}, (double[]){360, 40}, 2), 0);
}
END_TEST

START_TEST(without_counts_nothing_is_known)
{
    ck_assert_double_eq(evidence((double[]){0, 0}, (double[]){5, 5}, 2), 0);
    struct sca_same_draw none = {0};
    ck_assert_double_eq(sca_same_draw_evidence(&none), 0);
}
END_TEST

SCA_SUITE("same_draw", one_count, two_counts, many_of_another_place_are_not_drawn,
          without_counts_nothing_is_known)
