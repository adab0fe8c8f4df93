/* Reductions over ranks. */
#include "stats/over_ranks.h"
#include "check_main.h"

#include <math.h>
#include <string.h>

enum { RANKS = 5 };

static double scratch[RANKS];

START_TEST(sum_mean_and_most_are_of_all_ranks)
{
    const double row[RANKS] = {4, 1, 3, 0, 2};
    ck_assert_double_eq(sca_over_ranks_sum(row, RANKS), 10);
    ck_assert_double_eq(sca_over_ranks_mean(row, RANKS), 2);
    ck_assert_double_eq(sca_over_ranks_most(row, RANKS), 4);
    ck_assert_double_eq(sca_over_ranks_sum(row, 0), 0);
    ck_assert_double_eq(sca_over_ranks_most(row, 0), 0);
}
END_TEST

START_TEST(the_row_stays_as_it_is)
{
    const double row[RANKS] = {9, 1, 5, 7, 3};
    double copy[RANKS];
    memcpy(copy, row, sizeof row);
    ck_assert_double_eq(sca_over_ranks_median(copy, RANKS, NULL, scratch), 5);
    ck_assert_mem_eq(copy, row, sizeof row);
    ck_assert_double_eq(sca_over_ranks_median(copy, RANKS, NULL, copy),
                        5); /* unless it is given away */
}
END_TEST

/* Of four the lower one in the middle. */
START_TEST(who_is_left_out_does_not_count)
{
    const double row[RANKS] = {9, 1, 5, 7, 3};
    ck_assert_double_eq(sca_over_ranks_median(row, RANKS,
                                              (const bool[RANKS]){true, false, false, false, false},
                                              scratch),
                        3);
    ck_assert_double_eq(sca_over_ranks_median(row, RANKS,
                                              (const bool[RANKS]){true, true, false, true, true},
                                              scratch),
                        5);
    ck_assert_double_eq(sca_over_ranks_median(
                            row, RANKS, (const bool[RANKS]){true, true, true, true, true}, scratch),
                        0);
}
END_TEST

START_TEST(who_has_no_number_does_not_count)
{
    const double row[RANKS] = {NAN, 1, 5, NAN, 3};
    ck_assert_double_eq(sca_over_ranks_median(row, RANKS, NULL, scratch), 3);
    ck_assert_double_eq(sca_over_ranks_median(row, RANKS,
                                              (const bool[RANKS]){false, true, false, false, true},
                                              scratch),
                        5);
    ck_assert_double_eq(sca_over_ranks_median(row, 1, NULL, scratch), 0);
}
END_TEST

/* About 2: 1, 0.5, 0.5, 1 and 0; without two of them, about 2 again: 0.5, 0.5 and 0. */
START_TEST(scatter_is_the_mean_deviation)
{
    const double row[RANKS] = {4, 1, 3, 0, 2}, none[RANKS] = {0};
    const bool left_out[RANKS] = {true, false, false, true, false};
    ck_assert_double_eq_tol(sca_over_ranks_scatter(row, RANKS, NULL, scratch), 0.6, 1e-12);
    ck_assert_double_eq_tol(sca_over_ranks_scatter(row, RANKS, left_out, scratch), 1.0 / 3, 1e-12);
    ck_assert_double_eq(sca_over_ranks_scatter(none, RANKS, NULL, scratch), 0);
}
END_TEST

SCA_SUITE("over_ranks", scatter_is_the_mean_deviation, sum_mean_and_most_are_of_all_ranks,
          the_row_stays_as_it_is, who_is_left_out_does_not_count, who_has_no_number_does_not_count)
