#include "stats/fit.h"
#include "stats/median.h"
#include "stats/merge_ranks.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>

static void assert_near(double a, double b, double tolerance)
{
    ck_assert_msg(fabs(a - b) <= tolerance, "%.9f is not %.9f", a, b);
}

START_TEST(the_lower_median_of_two_is_the_lesser)
{
    double two[] = {3, 1}, four[] = {4, 1, 3, 2}, one[] = {5};
    assert_near(sca_median(two, 2), 1, 0);
    assert_near(sca_median(four, 4), 2, 0);
    assert_near(sca_median(one, 1), 5, 0);
    assert_near(sca_median(one, 0), 0, 0);
}
END_TEST

START_TEST(every_strategy_merges_as_named)
{
    const double ranks[] = {1, 1, 1, 1, 1, 1, 5, 5};
    const double expected[] = {
        [SCA_MERGE_MEDIAN] = 1, [SCA_MERGE_MEAN] = 2,           [SCA_MERGE_MAX] = 5,
        [SCA_MERGE_RANK] = 5,   [SCA_MERGE_VARIANCE] = sqrt(3), [SCA_MERGE_CLUSTER] = 5};
    for (int strategy = 0; strategy <= SCA_MERGE_CLUSTER; strategy++) {
        double x[8];
        for (int i = 0; i < 8; i++)
            x[i] = ranks[i];
        assert_near(sca_merge_ranks(x, 8, (enum sca_merge)strategy, 6), expected[strategy], 1e-9);
    }
}
END_TEST

START_TEST(a_rank_that_a_run_lacks_merges_to_nothing)
{
    double x[] = {1, 2};
    assert_near(sca_merge_ranks(x, 2, SCA_MERGE_RANK, 6), 0, 0);
}
END_TEST

START_TEST(a_power_law_is_found_exactly)
{
    const double x[] = {2, 4, 8, 16}, y[] = {8, 4, 2, 1};
    struct sca_fit fit;
    ck_assert_int_eq(sca_fit_loglog(x, y, 4, 0.05, &fit), 1);
    assert_near(fit.slope, -1, 1e-12);
    assert_near(fit.r2, 1, 1e-12);
    assert_near(sca_fit_at(&fit, 32), 0.5, 1e-9);
    ck_assert(fit.low < -1 && fit.high > -1 && fit.high < -0.8);
}
END_TEST

START_TEST(scatter_widens_the_interval)
{
    const double x[] = {2, 4, 8, 16}, smooth[] = {8, 4, 2, 1}, rough[] = {8, 5, 1.5, 1.1};
    struct sca_fit a, b;
    sca_fit_loglog(x, smooth, 4, 0.05, &a);
    sca_fit_loglog(x, rough, 4, 0.05, &b);
    ck_assert(b.high - b.low > 1.5 * (a.high - a.low));
}
END_TEST

START_TEST(what_cannot_be_fitted_is_refused)
{
    const double x[] = {4, 4, 8}, y[] = {1, 2, 0};
    struct sca_fit fit;
    ck_assert_int_eq(sca_fit_loglog(x, y, 3, 0.05, &fit), 0); /* one x left: 0 has no log */
    ck_assert_int_eq(sca_fit_loglog(x, y, 0, 0.05, &fit), 0);
}
END_TEST

SCA_SUITE("model", the_lower_median_of_two_is_the_lesser, every_strategy_merges_as_named,
          a_rank_that_a_run_lacks_merges_to_nothing, a_power_law_is_found_exactly,
          scatter_widens_the_interval, what_cannot_be_fitted_is_refused)
