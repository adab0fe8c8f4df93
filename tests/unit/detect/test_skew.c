/* Whether work is shared out unevenly, of one run whose ranks share cores. */
#include "imbalance/skew.h"
#include "check_main.h"

enum { RANKS = 4 };

static struct sca_workspace space;

/* Judges these seconds of an interval. */
static bool judge(const double *seconds, struct sca_abnormal *out)
{
    const struct sca_measure m = {.nranks = RANKS, .npresent = RANKS, .shared = true};
    return sca_skew_judge(&space, &m, seconds, 0.1, out);
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

SCA_SUITE("skew", three_of_four_may_have_too_much, a_slope_has_no_kinds,
          what_saves_too_little_is_even_enough)
