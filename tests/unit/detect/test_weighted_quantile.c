/* Quantiles of values that do not weigh alike. */
#include "stats/weighted_quantile.h"
#include "check_main.h"

static const struct sca_weighted list[] = {{3, 1}, {1, 4}, {2, 5}};
enum { N = sizeof list / sizeof *list };

static double at(double part)
{
    struct sca_weighted copy[N];
    for (int i = 0; i < N; i++)
        copy[i] = list[i];
    return sca_weighted_quantile(copy, N, 10, part);
}

/* Of ten, four weigh at 1, five at 2 and one at 3. */
START_TEST(it_is_where_so_much_weight_is_reached)
{
    ck_assert_double_eq(at(0.1), 1);
    ck_assert_double_eq(at(0.39), 1);
    ck_assert_double_eq(at(0.41), 2);
    ck_assert_double_eq(at(0.5), 2);
    ck_assert_double_eq(at(0.89), 2);
    ck_assert_double_eq(at(0.91), 3);
    ck_assert_double_eq(at(1), 3);
}
END_TEST

START_TEST(of_nothing_it_is_one)
{
    struct sca_weighted none;
    ck_assert_double_eq(sca_weighted_quantile(&none, 0, 0, 0.5), 1);
}
END_TEST

SCA_SUITE("weighted_quantile", it_is_where_so_much_weight_is_reached, of_nothing_it_is_one)
