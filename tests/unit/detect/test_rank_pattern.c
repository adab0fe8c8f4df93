/* Whether a run's ranks differ as those of another do along the way. */
#include "confirm/rank_pattern.h"
#include "check_main.h"

#include <math.h>

enum { HERE = 8, THERE = 4 };

/* Particles in the middle of the box. */
static const double hill[HERE] = {1, 2, 3, 4, 4, 3, 2, 1};

START_TEST(at_the_same_part_of_the_way_ranks_have_the_mean_of_theirs)
{
    double w[THERE];
    ck_assert(sca_rank_pattern_weights(hill, HERE, THERE, SCA_SAME_PART, w));
    for (int r = 0; r < THERE; r++) /* 1.5, 3.5, 3.5, 1.5: of 2.5 */
        ck_assert_double_eq_tol(w[r], r == 1 || r == 2 ? 0.4 : -0.4, 1e-12);
}
END_TEST

START_TEST(parts_of_a_rank_count_as_such)
{
    double w[3];
    ck_assert(sca_rank_pattern_weights((const double[]){1, 3}, 2, 3, SCA_SAME_PART, w));
    ck_assert_double_eq_tol(w[0], -0.5, 1e-12);
    ck_assert_double_eq_tol(w[1], 0, 1e-12);
    ck_assert_double_eq_tol(w[2], 0.5, 1e-12);
}
END_TEST

START_TEST(ranks_correspond_by_number_or_from_both_ends)
{
    static const double edges[HERE] = {5, 1, 1, 1, 1, 1, 1, 3};
    double w[THERE];
    ck_assert(sca_rank_pattern_weights(edges, HERE, THERE, SCA_SAME_NUMBER, w));
    ck_assert_double_eq_tol(w[0], 5 / 2.0 - 1, 1e-12);
    ck_assert_double_eq_tol(w[3], 1 / 2.0 - 1, 1e-12);
    ck_assert(sca_rank_pattern_weights(edges, HERE, THERE, SCA_FROM_BOTH_ENDS, w));
    ck_assert_double_eq_tol(w[3], 3 / 2.5 - 1, 1e-12);
    ck_assert(!sca_rank_pattern_weights(edges, THERE, HERE, SCA_SAME_NUMBER, w));
    ck_assert(!sca_rank_pattern_weights(edges, HERE, HERE, SCA_SAME_PART, w));
}
END_TEST

/* Two ranks of four each way scatter too much for two groups to tell; along the way they do not. */
START_TEST(as_much_as_the_pattern_says)
{
    struct sca_contrast c;
    const double w[THERE] = {-0.2, 0.4, 0.1, -0.3};
    const double seconds[THERE] = {1.6, 2.8, 2.2, 1.4};
    ck_assert(sca_rank_pattern_contrast(seconds, w, THERE, 0.02, &c));
    ck_assert_double_eq_tol(c.slope, 1, 1e-9);
    ck_assert_double_eq_tol(c.error, 0.02 * sqrt(4 / 6.0 / 0.3), 1e-9);
}
END_TEST

START_TEST(another_pattern_is_another_thing)
{
    struct sca_contrast c;
    const double w[THERE] = {-0.4, 0.4, 0.4, -0.4};
    ck_assert(sca_rank_pattern_contrast((const double[]){2, 2, 1, 1}, w, THERE, 0.02, &c));
    ck_assert_double_lt(c.slope, 3 * c.error);
    ck_assert(!sca_rank_pattern_contrast((const double[]){2, 2, 1, 1}, (double[THERE]){0}, THERE,
                                         0.02, &c));
}
END_TEST

SCA_SUITE("rank pattern", at_the_same_part_of_the_way_ranks_have_the_mean_of_theirs,
          parts_of_a_rank_count_as_such, ranks_correspond_by_number_or_from_both_ends,
          as_much_as_the_pattern_says, another_pattern_is_another_thing)
