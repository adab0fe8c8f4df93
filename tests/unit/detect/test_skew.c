/* Whether work is shared out unevenly, of one run whose ranks share cores. */
#include "imbalance/skew.h"
#include "check_main.h"

enum { RANKS = 4 };

static struct sca_workspace space;

/* Judges these seconds of an interval. */
static bool judge_many(const double *seconds, uint32_t nranks, struct sca_abnormal *out)
{
    const struct sca_measure m = {.nranks = nranks, .npresent = nranks, .shared = true};
    return sca_skew_judge(&space, &m, seconds, 0.1, out);
}

static bool judge(const double *seconds, struct sca_abnormal *out)
{
    return judge_many(seconds, RANKS, out);
}

START_TEST(three_of_four_may_have_too_much)
{
    struct sca_abnormal a;
    ck_assert(judge((const double[]){1, 2.01, 2, 1.99}, &a));
    ck_assert(a.two_kinds);
    ck_assert_uint_eq(a.nranks, 3);
    ck_assert(a.ranks[0] == 1 && a.ranks[1] == 2 && a.ranks[2] == 3);
    ck_assert_double_eq_tol(a.ratio, 2, 1e-9);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(a_slope_has_no_kinds)
{
    struct sca_abnormal a;
    ck_assert(judge((const double[]){1, 1.3, 1.6, 1.9}, &a));
    ck_assert(!a.two_kinds);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(what_saves_too_little_is_even_enough)
{
    struct sca_abnormal a;
    ck_assert(!judge((const double[]){1, 1.02, 1.02, 1.02}, &a));
    sca_workspace_free(&space);
}
END_TEST

/* One of those with more has a slow core: all of them are named. */
START_TEST(all_of_the_kind_with_more_are_named)
{
    struct sca_abnormal a;
    ck_assert(judge_many((const double[]){0.62, 0.68, 0.66, 0.22, 0.77, 0.63, 0.63, 0.66}, 8, &a));
    ck_assert(a.two_kinds);
    ck_assert_uint_eq(a.nranks, 7);
    for (uint32_t i = 0; i < 7; i++)
        ck_assert_uint_eq(a.ranks[i], i + (i > 2));
    ck_assert_double_eq_tol(a.ratio, 3.0, 0.05);
    sca_workspace_free(&space);
}
END_TEST

/* A master computes nothing of what its workers do; nor is it uneven that one rank does all. */
START_TEST(few_that_have_none_are_there_for_something_else)
{
    struct sca_abnormal a;
    ck_assert(!judge((const double[]){0, 1, 1.01, 1.02}, &a));
    sca_workspace_free(&space);
    ck_assert(judge((const double[]){0, 0, 1, 1.01}, &a));
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("skew", three_of_four_may_have_too_much, a_slope_has_no_kinds,
          what_saves_too_little_is_even_enough, all_of_the_kind_with_more_are_named,
          few_that_have_none_are_there_for_something_else)
