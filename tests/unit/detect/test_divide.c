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
                own[r][nown[r]++] = (struct sca_weight){SITE, place[i], samples[r][i]};
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

/* Beside it, after the same call, are so many samples more than its time brings. */
static struct sca_division divide_beside(int rank, double seconds, double usual, double expected,
                                         double more)
{
    double samples = sca_sample_pool_sum(own[rank], 0, nown[rank]);
    const struct sca_stretch s = {.interval = SITE,
                                  .own = own[rank],
                                  .nown = nown[rank],
                                  .seconds = seconds,
                                  .usual = usual,
                                  .unusual = unusual[rank],
                                  .expected = expected,
                                  .all = samples + more,
                                  .all_expected = expected};
    return sca_posterior_divide(divider, &s);
}

static struct sca_division divide_expected(int rank, double seconds, double usual, double expected)
{
    return divide_beside(rank, seconds, usual, expected, 0);
}

/* As many samples as its time brings. */
static const double *divide(int rank, double seconds, double usual)
{
    double samples = sca_sample_pool_sum(own[rank], 0, nown[rank]);
    struct sca_division d = divide_expected(rank, seconds, usual, samples);
    ck_assert_double_lt(d.unseen, 1e-12);
    return d.part;
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

/* A rank takes 2.3 s instead of one, which would have brought 14 samples; one is there, where all
 * have most of theirs. So what the others do not have was not sampled, and where it is nobody
 * knows. */
START_TEST(what_too_few_samples_leave_open_is_not_put_where_they_are)
{
    double samples[RANKS][PLACES] = {{0, 1, 0, 0}};
    for (int r = 1; r < RANKS; r++)
        memcpy(samples[r], (const double[PLACES]){0, 6, 0.2, 0.2}, sizeof samples[r]);
    fill(samples, 1, 0.97);
    struct sca_division d = divide_expected(0, 2.3, 1, 14);
    ck_assert_double_gt(d.unseen, 0.565 / 2);
    ck_assert_double_lt(part_at(d.part, place[1]), (1 + 1.3 / 2) / 2.3);
    tidy();
}
END_TEST

/* But where as many too many fell on what comes after the same call, the stretches that samples are
 * taken in only fell on that. */
START_TEST(samples_beside_it_stand_for_those_that_are_missing)
{
    double samples[RANKS][PLACES] = {{0, 6, 0, 0}};
    for (int r = 1; r < RANKS; r++)
        memcpy(samples[r], (const double[PLACES]){0, 6, 0.2, 0.2}, sizeof samples[r]);
    fill(samples, 1, 0.97);
    double alone = divide_beside(0, 2.3, 1, 14, 0).unseen;
    ck_assert_double_lt(divide_beside(0, 2.3, 1, 14, 8).unseen, alone / 2);
    tidy();
}
END_TEST

/* The same, and the samples that are there are at work that the others have not. */
START_TEST(few_samples_of_its_own_work_tell_it)
{
    double samples[RANKS][PLACES] = {{3, 1, 0, 0}};
    for (int r = 1; r < RANKS; r++)
        memcpy(samples[r], (const double[PLACES]){0, 6, 0.2, 0.2}, sizeof samples[r]);
    fill(samples, 1, 0.97);
    struct sca_division d = divide_expected(0, 2.3, 1, 14);
    ck_assert_double_lt(d.unseen, 0.05);
    ck_assert_double_gt(part_at(d.part, place[0]), 0.4);
    tidy();
}
END_TEST

/* One of sixteen less than expected is chance. */
START_TEST(enough_samples_leave_nothing_open)
{
    fill_beside((const double[]){0, 10, 3, 2}, 0.94);
    struct sca_division d = divide_expected(0, 2, 1, 16);
    assert_parts(d.part, (const double[]){0, 0.667, 0.167, 0.167}, 0.06);
    ck_assert_double_lt(d.unseen, 1e-12);
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

/* Nobody else is there for long: by one stray sample of theirs, or none, nothing is expected. */
START_TEST(what_samples_stand_for_is_known_by_all_intervals)
{
    const double usual[] = {0, 0}, seconds[] = {1, 0.001}, told[] = {0.9, 0}, more[] = {0.9, 0.01};
    ck_assert_int_eq(sca_sample_pool_open(&pool, 2), 0);
    sca_sample_pool_cover(&pool, seconds, told, usual, 0.01);
    ck_assert_double_eq_tol(sca_sample_pool_told(&pool, 1, 2), 1.8, 0.02);
    sca_sample_pool_cover(&pool, seconds, more, usual, 0.01);
    ck_assert_double_eq_tol(sca_sample_pool_told(&pool, 1, 2), 1.8, 0.12);
    sca_sample_pool_free(&pool);
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
          loops_of_a_call_with_more_work_get_it_together,
          what_too_few_samples_leave_open_is_not_put_where_they_are,
          few_samples_of_its_own_work_tell_it, samples_beside_it_stand_for_those_that_are_missing,
          enough_samples_leave_nothing_open,
          few_samples_of_one_that_takes_the_usual_time_say_little, many_samples_say_all,
          without_samples_a_slow_one_does_what_other_slow_ones_do,
          without_samples_it_is_what_others_do, what_samples_stand_for_is_known_by_all_intervals,
          what_is_typical_leaves_out_who_asks, who_is_alone_is_typical)
