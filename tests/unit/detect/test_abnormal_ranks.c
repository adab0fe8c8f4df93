/* Whether a rank has too much: by its samples, and beyond what cores do. */
#include "judging.h"
#include "check_main.h"

static struct judging g;

/* A hundred samples a second. */
static bool stands_out(double x, double reference, double reference_variance, double threshold)
{
    judging_begin(&g, (double[JUDGED]){x}, 0.01);
    g.j.threshold = threshold;
    return sca_abnormal_ranks_stands_out(&g.j, 0, reference, reference_variance);
}

/* A hundred samples, and one for safety, scatter by 0.1005 s: five times that is 0.5025 s. With as
 * much variance in the median it is 0.7106 s. */
START_TEST(five_standard_deviations_stand_out)
{
    ck_assert(!stands_out(1.50, 1, 0, 1));
    ck_assert(stands_out(1.51, 1, 0, 1));
    ck_assert(!stands_out(1.71, 1, 0.0101, 1));
    ck_assert(stands_out(1.72, 1, 0.0101, 1));
    ck_assert(!stands_out(0.4, 1, 0, 1));
}
END_TEST

START_TEST(and_the_threshold_must_be_reached)
{
    ck_assert(!stands_out(1.59, 1, 0, 1.6));
    ck_assert(stands_out(1.61, 1, 0, 1.6));
}
END_TEST

/* Where none belong they scatter by one. */
START_TEST(five_samples_where_others_have_none_stand_out)
{
    ck_assert(!stands_out(0.049, 0, 0, 1.6));
    ck_assert(stands_out(0.051, 0, 0, 1.6));
    ck_assert(!stands_out(0, 0, 0, 1.6));
}
END_TEST

static bool is_over(double x, double reference, double limit, double core)
{
    judging_begin(&g, (double[JUDGED]){x}, 0);
    g.j.limit = limit;
    g.core[0] = core;
    g.j.usual = reference;
    return sca_abnormal_ranks_is_over(&g.j, 0);
}

START_TEST(what_equal_ranks_and_cores_differ_by_is_not_over)
{
    ck_assert(!is_over(10.9, 10, 1, 0)); /* nothing tells of the core */
    ck_assert(is_over(11.1, 10, 1, 0));
    ck_assert(!is_over(10.4, 10, 1, 1)); /* it is as fast as others */
    ck_assert(is_over(10.6, 10, 1, 1));
    ck_assert(!is_over(12.9, 10, 1.3, 1));
    ck_assert(is_over(13.1, 10, 1.3, 1));
}
END_TEST

/* 1.05 x 1.2 is 1.26, and 1.05 x 0.8 is 0.84. */
START_TEST(a_slow_core_explains_some)
{
    ck_assert(!is_over(12.5, 10, 1, 1.2));
    ck_assert(is_over(12.7, 10, 1, 1.2));
    ck_assert(is_over(8.5, 10, 1, 0.8)); /* on a fast one it is more than it looks */
    ck_assert(!is_over(8.3, 10, 1, 0.8));
}
END_TEST

START_TEST(where_others_have_none_any_is_over)
{
    ck_assert(is_over(1e-6, 0, 2, 1.3));
    ck_assert(!is_over(0, 0, 2, 1.3));
}
END_TEST

SCA_SUITE("abnormal ranks", five_standard_deviations_stand_out, and_the_threshold_must_be_reached,
          five_samples_where_others_have_none_stand_out,
          what_equal_ranks_and_cores_differ_by_is_not_over, a_slow_core_explains_some,
          where_others_have_none_any_is_over)
