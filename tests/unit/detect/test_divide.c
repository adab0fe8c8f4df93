/* How the seconds after a call are divided over vertices. What is true is planted: samples in
 * proportion to seconds per vertex that the test decides on. */
#include "apportion/posterior.h"
#include "apportion/typical_rank.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, PLACES = 4, SITE = 1 };

/* Root, a loop, a call with two loops in it. */
#define VERTEX(around, at)                                                                         \
    {.parent = (around), .name = "", .function = "f", .file = "f.c", .line = (at)}
static struct sca_ppg_vertex vertices[] = {VERTEX(0, 0), VERTEX(0, 1), VERTEX(0, 2), VERTEX(2, 3),
                                           VERTEX(2, 4)};
static const struct sca_ppg ppg = {.nvertices = 5, .vertices = vertices};
static const uint32_t place[PLACES] = {0, 1, 3, 4};

static struct sca_weight own[RANKS][PLACES];
static size_t nown[RANKS];
static double unusual[RANKS];
static struct sca_pool pool;
static struct sca_divider *divider;

/* Ranks with so many samples per vertex; the first n as unusual as told, the others usual. */
static void fill(const double samples[RANKS][PLACES], int n, double of_first)
{
    ck_assert_int_eq(sca_sample_pool_open(&pool, SITE + 1), 0);
    for (int r = 0; r < RANKS; r++) {
        double of_site[SITE + 1] = {0, unusual[r] = r < n ? of_first : 0};
        nown[r] = 0;
        for (int i = 0; i < PLACES; i++)
            if (samples[r][i] > 0)
                own[r][nown[r]++] = (struct sca_weight){SITE, place[i], samples[r][i], 0};
        ck_assert_int_eq(sca_sample_pool_add(&pool, own[r], nown[r], of_site), 0);
    }
    ck_assert_int_eq(sca_sample_pool_close(&pool), 0);
    divider = sca_posterior_open(&pool, &ppg);
    ck_assert_ptr_nonnull(divider);
}

static void tidy(void)
{
    sca_posterior_close(divider);
    sca_sample_pool_free(&pool);
}

static const double *divide(int rank, double seconds, double usual)
{
    const struct sca_segment s = {.interval = SITE,
                                  .own = own[rank],
                                  .nown = nown[rank],
                                  .seconds = seconds,
                                  .usual = usual,
                                  .unusual = unusual[rank]};
    return sca_posterior_divide(divider, &s);
}

/* Places where nobody was sampled are not in the pool. */
static double part_at(const double *part, uint32_t vertex)
{
    for (size_t i = pool.first[SITE]; i < pool.first[SITE + 1]; i++)
        if (pool.weights[i].vertex == vertex)
            return part[i - pool.first[SITE]];
    return 0;
}

static void assert_parts(const double *part, const double *expected, double tolerance)
{
    double sum = 0;
    for (int i = 0; i < PLACES; i++) {
        double is = part_at(part, place[i]);
        ck_assert_msg(fabs(is - expected[i]) <= tolerance, "vertex %u has %.3f, not %.3f", place[i],
                      is, expected[i]);
        sum += is;
    }
    ck_assert_double_eq_tol(sum, 1, 1e-9);
}

/* Everybody's samples are 0, 16, 4, 4, but the first's. */
static void fill_beside(const double first[PLACES], double of_first)
{
    double samples[RANKS][PLACES];
    for (int r = 0; r < RANKS; r++)
        for (int i = 0; i < PLACES; i++)
            samples[r][i] = r ? (const double[]){0, 16, 4, 4}[i] : first[i];
    fill(samples, 1, of_first);
}

START_TEST(who_is_twice_as_slow_everywhere_has_the_usual_parts)
{
    fill_beside((const double[]){0, 33, 8, 7}, 0.94);
    assert_parts(divide(0, 2, 1), (const double[]){0, 0.667, 0.167, 0.167}, 0.03);
    tidy();
}
END_TEST

/* Samples lean to the truth by 5 of 48: others' exact times do the rest. */
START_TEST(one_loop_with_more_work_gets_the_difference)
{
    fill_beside((const double[]){0, 16, 5, 27}, 0.94);
    assert_parts(divide(0, 2, 1), (const double[]){0, 0.333, 0.083, 0.583}, 0.04);
    tidy();
}
END_TEST

START_TEST(work_that_nobody_else_has_gets_the_difference)
{
    fill_beside((const double[]){22, 18, 4, 4}, 0.94);
    assert_parts(divide(0, 2, 1), (const double[]){0.5, 0.333, 0.083, 0.083}, 0.05);
    tidy();
}
END_TEST

START_TEST(loops_of_a_call_with_more_work_get_it_together)
{
    fill_beside((const double[]){0, 15, 17, 16}, 0.94);
    assert_parts(divide(0, 2, 1), (const double[]){0, 0.333, 0.333, 0.333}, 0.04);
    tidy();
}
END_TEST

/* Few samples, of a rank that takes 2.3 s instead of one: they are at work that the others have
 * not.
 */
START_TEST(few_samples_of_its_own_work_tell_it)
{
    double samples[RANKS][PLACES] = {{3, 1, 0, 0}};
    for (int r = 1; r < RANKS; r++)
        memcpy(samples[r], (const double[PLACES]){0, 6, 0.2, 0.2}, sizeof samples[r]);
    fill(samples, 1, 0.97);
    ck_assert_double_gt(part_at(divide(0, 2.3, 1), place[0]), 0.4);
    tidy();
}
END_TEST

START_TEST(few_samples_of_one_that_takes_the_usual_time_say_little)
{
    fill_beside((const double[]){0, 2, 4, 0}, 0);
    assert_parts(divide(0, 1, 1), (const double[]){0, 0.667, 0.167, 0.167}, 0.1);
    tidy();
}
END_TEST

START_TEST(many_samples_say_all)
{
    fill_beside((const double[]){0, 200, 4000, 300}, 0);
    assert_parts(divide(0, 1, 1), (const double[]){0, 0.044, 0.889, 0.067}, 0.01);
    tidy();
}
END_TEST

/* Two are twice as slow, and only one of them was seen at it. */
START_TEST(without_samples_a_slow_one_does_what_other_slow_ones_do)
{
    double samples[RANKS][PLACES] = {{0}, {40, 24, 6, 6}};
    for (int r = 2; r < RANKS; r++)
        memcpy(samples[r], (const double[PLACES]){0, 16, 4, 4}, sizeof samples[r]);
    fill(samples, 2, 0.94);
    const double *part = divide(0, 2, 1);
    ck_assert_double_gt(part_at(part, place[0]), 0.2);
    ck_assert_double_lt(part_at(part, place[0]), 0.55);
    part = divide(2, 1, 1);
    ck_assert_double_lt(part_at(part, place[0]), 0.1);
    tidy();
}
END_TEST

START_TEST(without_samples_it_is_what_others_do)
{
    fill_beside((const double[]){0, 0, 0, 0}, 0);
    assert_parts(divide(0, 3, 1), (const double[]){0, 0.667, 0.167, 0.167}, 0.03);
    tidy();
}
END_TEST

START_TEST(what_is_typical_leaves_out_who_asks)
{
    struct sca_typical t;
    const double seconds[] = {2, 4, 30}, visits[] = {2, 2, 10};
    ck_assert_int_eq(sca_typical_rank_open(&t, 1, 3), 0);
    for (int r = 0; r < 3; r++)
        sca_typical_rank_add(&t, &seconds[r], &visits[r]);
    sca_typical_rank_close(&t);
    ck_assert_double_eq_tol(sca_typical_rank_seconds(&t, 0, 30, 10), 15, 1e-6); /* of 1 and 2 */
    ck_assert_double_eq_tol(sca_typical_rank_seconds(&t, 0, 2, 2), 5, 1e-6);    /* of 2 and 3 */
    ck_assert_double_eq_tol(sca_typical_rank_seconds(&t, 0, 7, 1), 2, 1e-6);    /* of all */
    sca_typical_rank_free(&t);
}
END_TEST

START_TEST(who_is_alone_is_typical)
{
    struct sca_typical t;
    const double seconds = 2, visits = 2;
    ck_assert_int_eq(sca_typical_rank_open(&t, 1, 1), 0);
    sca_typical_rank_add(&t, &seconds, &visits);
    sca_typical_rank_close(&t);
    ck_assert_double_eq_tol(sca_typical_rank_seconds(&t, 0, 2, 2), 2, 1e-6);
    sca_typical_rank_free(&t);
}
END_TEST

SCA_SUITE("divide", who_is_twice_as_slow_everywhere_has_the_usual_parts,
          one_loop_with_more_work_gets_the_difference,
          work_that_nobody_else_has_gets_the_difference,
          loops_of_a_call_with_more_work_get_it_together, few_samples_of_its_own_work_tell_it,
          few_samples_of_one_that_takes_the_usual_time_say_little, many_samples_say_all,
          without_samples_a_slow_one_does_what_other_slow_ones_do,
          without_samples_it_is_what_others_do, what_is_typical_leaves_out_who_asks,
          who_is_alone_is_typical)
