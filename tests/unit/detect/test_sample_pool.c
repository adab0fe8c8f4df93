/* Samples of all ranks together. */
#include "apportion/sample_pool.h"
#include "check_main.h"

START_TEST(weights_go_interval_by_interval)
{
    const struct sca_weight list[] = {
        {0, 3, 1, 0}, {0, 5, 2, 0}, {2, 3, 4, 0}, {2, 4, 8, 0}, {2, 9, 16, 0}};
    ck_assert_uint_eq(sca_sample_pool_of_interval(list, 0, 5), 2);
    ck_assert_uint_eq(sca_sample_pool_of_interval(list, 2, 5), 5);
    ck_assert_uint_eq(sca_sample_pool_of_interval(list, 4, 5), 5);
    ck_assert_double_eq(sca_sample_pool_sum(list, 0, 2), 3);
    ck_assert_double_eq(sca_sample_pool_sum(list, 2, 5), 28);
    ck_assert_double_eq(sca_sample_pool_sum(list, 2, 2), 0);
}
END_TEST

START_TEST(the_order_is_by_interval_then_by_vertex)
{
    const struct sca_weight a = {1, 7, 0, 0}, b = {2, 1, 0, 0}, c = {1, 8, 0, 0};
    ck_assert_int_lt(sca_sample_pool_order(&a, &b), 0);
    ck_assert_int_gt(sca_sample_pool_order(&b, &c), 0);
    ck_assert_int_lt(sca_sample_pool_order(&a, &c), 0);
    ck_assert_int_eq(sca_sample_pool_order(&a, &a), 0);
}
END_TEST

/* However many samples a rank has, it counts as one with a fixed number of them. */
START_TEST(no_rank_outweighs_the_others)
{
    ck_assert_double_eq(sca_sample_pool_scale(0), 1);
    ck_assert_double_eq(sca_sample_pool_scale(1), 1);
    ck_assert_double_eq_tol(sca_sample_pool_scale(1e6) * 1e6, sca_sample_pool_scale(1e7) * 1e7,
                            1e-6);
    ck_assert_double_lt(sca_sample_pool_scale(1e6), 1);
}
END_TEST

START_TEST(usual_ranks_and_unusual_ones)
{
    ck_assert(sca_sample_pool_is_usual(0));
    ck_assert(!sca_sample_pool_is_usual(1) && !sca_sample_pool_is_usual(-1));
}
END_TEST

/* Gap 0: two usual ranks. Gap 1: one that takes much longer, and one much shorter. */
START_TEST(what_unusual_ranks_do_is_kept_apart)
{
    const double none[2] = {0, 0}, longer[2] = {0, 1}, shorter[2] = {0, -1};
    const struct sca_weight a[] = {{0, 1, 2, 0}, {1, 1, 3, 0}},
                            b[] = {{0, 1, 1, 0}, {0, 2, 5, 0}, {1, 4, 2, 0}};
    struct sca_pool pool;
    ck_assert_int_eq(sca_sample_pool_open(&pool, 2), 0);
    ck_assert_int_eq(sca_sample_pool_add(&pool, a, 2, longer), 0);
    ck_assert_int_eq(sca_sample_pool_add(&pool, b, 3, shorter), 0);
    ck_assert_int_eq(sca_sample_pool_add(&pool, NULL, 0, none), 0);
    ck_assert_int_eq(sca_sample_pool_close(&pool), 0);
    ck_assert(pool.first[0] == 0 && pool.first[1] == 2 && pool.first[2] == 4);
    ck_assert_uint_eq(pool.weights[0].vertex, 1);
    ck_assert_double_eq(pool.weights[0].usual, 3);
    ck_assert_double_eq(pool.weights[1].usual, 5);
    ck_assert_double_eq(pool.weights[2].usual, 0);
    ck_assert_double_eq(pool.weights[2].unusual[SCA_LONGER], 3);
    ck_assert_double_eq(pool.weights[2].unusual[SCA_SHORTER], 0);
    ck_assert_uint_eq(pool.weights[3].vertex, 4);
    ck_assert_double_eq(pool.weights[3].unusual[SCA_SHORTER], 2);
    ck_assert_uint_eq(pool.sampled[0], 2);
    ck_assert_uint_eq(pool.sampled[1], 0);
    sca_sample_pool_free(&pool);
}
END_TEST

SCA_SUITE("sample_pool", weights_go_interval_by_interval, the_order_is_by_interval_then_by_vertex,
          no_rank_outweighs_the_others, usual_ranks_and_unusual_ones,
          what_unusual_ranks_do_is_kept_apart)
