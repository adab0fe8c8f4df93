/* Named ranks and the others. */
#include "measure/sides.h"
#include "check_main.h"

#include <math.h>

enum { RANKS = 5 };

static struct sca_rank ranks[RANKS];
static struct sca_profile profile = {.nranks = RANKS, .ranks = ranks};
static const struct sca_ppg_run run = {.profile = &profile, .nranks = RANKS};
static const struct sca_measure m = {.run = &run, .nranks = RANKS};
static struct sca_workspace space;

static struct sca_sides sides(const double *row, const uint32_t *named, uint32_t n)
{
    for (uint32_t r = 0; r < RANKS; r++)
        ranks[r].present = r != 4;
    return sca_sides_of(&space, &m, row, named, n);
}

START_TEST(the_others_are_those_that_left_something)
{
    const uint32_t named[] = {1};
    struct sca_sides s = sides((const double[RANKS]){2, 8, 4, 3, 100}, named, 1);
    ck_assert_double_eq(s.named, 8);
    ck_assert_double_eq(s.usual, 3);
    ck_assert_double_eq(sca_sides_excess(&s, 1), 5);
    ck_assert_double_eq_tol(sca_sides_ratio(&s, 1), 8.0 / 3, 1e-12);
}
END_TEST

START_TEST(of_several_named_ranks_it_is_the_mean_that_is_compared)
{
    const uint32_t named[] = {0, 3};
    struct sca_sides s = sides((const double[RANKS]){6, 2, 2, 4, 0}, named, 2);
    ck_assert_double_eq(s.named, 10);
    ck_assert_double_eq(sca_sides_excess(&s, 2), 6);
    ck_assert_double_eq(sca_sides_ratio(&s, 2), 2.5);
}
END_TEST

START_TEST(where_the_others_have_none_there_is_no_ratio)
{
    const uint32_t named[] = {2}, all[] = {0, 1, 2, 3};
    struct sca_sides s = sides((const double[RANKS]){0, 0, 1, 0, 0}, named, 1);
    ck_assert(isinf(sca_sides_ratio(&s, 1)));
    s = sides((const double[RANKS]){1, 1, 1, 1, 1}, all, 4);
    ck_assert_double_eq(s.usual, 0);
}
END_TEST

START_TEST(none_is_told_where_no_other_has_more_than_a_little)
{
    const uint32_t named[] = {2};
    struct sca_sides s = sides((const double[RANKS]){0, 0, 10, 1.2, 0}, named, 1);
    ck_assert_double_eq(sca_sides_told_ratio(&s, 1), 0); /* 0.4 on average */
    s = sides((const double[RANKS]){0, 0, 10, 6, 0}, named, 1);
    ck_assert_double_eq(sca_sides_told_ratio(&s, 1), 5);
    s = sides((const double[RANKS]){1, 1, 10, 9, 0}, named, 1);
    ck_assert_double_eq(sca_sides_told_ratio(&s, 1), 10);
}
END_TEST

SCA_SUITE("sides", the_others_are_those_that_left_something,
          of_several_named_ranks_it_is_the_mean_that_is_compared,
          where_the_others_have_none_there_is_no_ratio,
          none_is_told_where_no_other_has_more_than_a_little)
