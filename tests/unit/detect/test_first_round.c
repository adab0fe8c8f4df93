/* Gaps with few samples, or none, that are the first round of a loop. */
#include "apportion/first_round.h"
#include "graph/intervals.h"
#include "apportion/rank_intervals.h"
#include "check_main.h"

static bool is_first(double visits, double seconds, uint32_t of)
{
    double times[] = {1, seconds}, often[] = {1, visits};
    const struct sca_rank_intervals g = {.seconds = times, .visits = often};
    return sca_first_round_is(&g, 0, of);
}

START_TEST(it_is_rarer_and_as_long)
{
    ck_assert(is_first(4, 4, 1));
    ck_assert(!is_first(3.9, 3.9, 1));
    ck_assert(is_first(100, 124, 1));
    ck_assert(!is_first(100, 126, 1));
    ck_assert(is_first(100, 81, 1));
    ck_assert(!is_first(100, 79, 1));
}
END_TEST

START_TEST(of_nothing_it_is_none)
{
    double none[] = {0, 0};
    const struct sca_rank_intervals g = {.seconds = none, .visits = none};
    ck_assert(!is_first(100, 100, SCA_NONE));
    ck_assert(!sca_first_round_is(&g, 0, 1));
}
END_TEST

enum { GAPS = 5 };

/* Gaps 0, 1 and 2 lead to call 7, 3 and 4 to call 8; only 1, 2 and 4 have samples. */
START_TEST(the_most_alike_that_leads_to_the_same_call)
{
    uint32_t next[GAPS] = {7, 7, 7, 8, 8}, out[GAPS];
    size_t first[GAPS + 1] = {0, 0, 1, 2, 2, 3};
    double median[GAPS] = {1, 1.2, 0.95, 1, 1.3};
    struct sca_pool_weight weights[] = {{1, 3, 10, {0}}, {2, 4, 10, {0}}, {4, 5, 10, {0}}};
    const struct sca_intervals intervals = {.n = GAPS, .next = next};
    const struct sca_pool pool = {.nintervals = GAPS, .first = first, .weights = weights};
    const struct sca_typical typical = {.nintervals = GAPS, .median = median};
    ck_assert_int_eq(sca_first_round_find(&intervals, &pool, &typical, out), 0);
    ck_assert_uint_eq(out[0], 2);
    ck_assert_uint_eq(out[1], SCA_NONE);
    ck_assert_uint_eq(out[2], SCA_NONE);
    ck_assert_uint_eq(out[3], SCA_NONE); /* 1.3 times as long */
    ck_assert_uint_eq(out[4], SCA_NONE);
}
END_TEST

enum { AT_LOOP = 3, AT_DELAY, ELSEWHERE };

/* What gap 0, of few samples, is told by, if gap 1, as long, has 64: usual ranks' at a loop, the
 * slow one's at a delay as well. */
static uint32_t told_by(struct sca_pool_weight few)
{
    uint32_t next[] = {7, 7}, out[2];
    size_t first[] = {0, 1, 3};
    double median[] = {1, 1};
    struct sca_pool_weight weights[] = {few, {1, AT_LOOP, 40, {0, 6}}, {1, AT_DELAY, 0, {0, 18}}};
    const struct sca_intervals intervals = {.n = 2, .next = next};
    const struct sca_pool pool = {.nintervals = 2, .first = first, .weights = weights};
    const struct sca_typical typical = {.nintervals = 2, .median = median};
    ck_assert_int_eq(sca_first_round_find(&intervals, &pool, &typical, out), 0);
    ck_assert_uint_eq(out[1], SCA_NONE); /* it has more samples */
    return out[0];
}

START_TEST(few_samples_of_the_same_work)
{
    ck_assert_uint_eq(told_by((struct sca_pool_weight){0, AT_LOOP, 6, {0}}), 1);
    ck_assert_uint_eq(told_by((struct sca_pool_weight){0, AT_DELAY, 0, {0, 4}}), 1);
}
END_TEST

START_TEST(few_samples_of_other_work)
{
    ck_assert_uint_eq(told_by((struct sca_pool_weight){0, ELSEWHERE, 6, {0}}), SCA_NONE);
    ck_assert_uint_eq(told_by((struct sca_pool_weight){0, AT_DELAY, 6, {0}}), SCA_NONE);
}
END_TEST

START_TEST(without_the_call_that_comes_next_nothing_is_known)
{
    uint32_t next[2] = {SCA_NONE, SCA_NONE}, out[2];
    size_t first[3] = {0, 0, 1};
    double median[2] = {1, 1};
    struct sca_pool_weight weights[] = {{1, 3, 10, {0}}};
    const struct sca_intervals intervals = {.n = 2, .next = next};
    const struct sca_pool pool = {.nintervals = 2, .first = first, .weights = weights};
    const struct sca_typical typical = {.nintervals = 2, .median = median};
    ck_assert_int_eq(sca_first_round_find(&intervals, &pool, &typical, out), 0);
    ck_assert(out[0] == SCA_NONE && out[1] == SCA_NONE);
}
END_TEST

SCA_SUITE("first_round", it_is_rarer_and_as_long, of_nothing_it_is_none,
          the_most_alike_that_leads_to_the_same_call, few_samples_of_the_same_work,
          few_samples_of_other_work, without_the_call_that_comes_next_nothing_is_known)
