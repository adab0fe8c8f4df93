/* Counts of independent events: which mean is likelier, and how surprising many are. */
#include "stats/poisson.h"
#include "check_main.h"

#include <math.h>

/* P(n) = m^n exp(-m) / n!; what both have cancels. */
START_TEST(it_is_the_ratio_of_two_probabilities)
{
    double by_two = pow(2, 5) * exp(-2), by_four = pow(4, 5) * exp(-4);
    ck_assert_double_eq_tol(sca_poisson_log_ratio(5, 4, 2), log(by_four / by_two), 1e-12);
    ck_assert_double_eq_tol(sca_poisson_log_ratio(5, 2, 4), log(by_two / by_four), 1e-12);
    ck_assert_double_eq(sca_poisson_log_ratio(5, 3, 3), 0);
    ck_assert_double_eq(sca_poisson_log_ratio(0, 1, 4), 3); /* none: the lesser mean is likelier */
}
END_TEST

static double tail(int from, double mean)
{
    double all = 0, each = exp(-mean);
    for (int n = 0; n < 200; n++, each *= mean / n)
        all += n >= from ? each : 0;
    return all;
}

START_TEST(the_tail_is_summed_up)
{
    ck_assert_double_eq(sca_poisson_tail(0, 3), 1);
    ck_assert_double_eq(sca_poisson_tail(1, 0), 0);
    for (int n = 0; n < 12; n++)
        ck_assert_double_eq_tol(sca_poisson_tail((uint32_t)n, 3), tail(n, 3), 1e-12);
}
END_TEST

START_TEST(it_bounds_the_tail)
{
    for (int n = 4; n < 30; n += 5)
        ck_assert_double_le(tail(n, 3), exp(-sca_poisson_surprise(n, 3)));
    ck_assert_double_gt(tail(9, 3), exp(-2 * sca_poisson_surprise(9, 3))); /* and not idly */
}
END_TEST

START_TEST(what_is_expected_is_no_surprise)
{
    ck_assert_double_eq(sca_poisson_surprise(3, 3), 0);
    ck_assert_double_eq(sca_poisson_surprise(2, 3), 0);
}
END_TEST

SCA_SUITE("poisson", it_is_the_ratio_of_two_probabilities, the_tail_is_summed_up,
          it_bounds_the_tail, what_is_expected_is_no_surprise)
