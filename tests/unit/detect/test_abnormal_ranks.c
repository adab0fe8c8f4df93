/* Whether a rank has too much: by its samples, and beyond what cores do. */
#include "judging.h"
#include "measure/core_speed.h"
#include "measured.h"
#include "verdict_program.h"
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
    g.elsewhere[0] = core;
    return sca_abnormal_ranks_is_over(&g.j, 0, reference);
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

/* 1.05 x 1.2 is 1.26; cores differ by no more than 1.4, and 1.05 x 1.4 is 1.47. */
START_TEST(a_slow_core_explains_some)
{
    ck_assert(!is_over(12.5, 10, 1, 1.2));
    ck_assert(is_over(12.7, 10, 1, 1.2));
    ck_assert(!is_over(14.6, 10, 1, 3));
    ck_assert(is_over(14.8, 10, 1, 3));
    ck_assert(is_over(10.6, 10, 1, 0.5)); /* a fast one asks for no less */
    ck_assert(!is_over(10.4, 10, 1, 0.5));
}
END_TEST

START_TEST(where_others_have_none_any_is_over)
{
    ck_assert(is_over(1e-6, 0, 2, 1.3));
    ck_assert(!is_over(0, 0, 2, 1.3));
}
END_TEST

static double core_factor(double exact)
{
    judging_begin(&g, (double[JUDGED]){10}, 0);
    g.elsewhere[0] = exact;
    return sca_abnormal_ranks_core_factor(&g.j, 0);
}

START_TEST(exact_times_tell_of_a_core_within_bounds)
{
    ck_assert_double_eq(core_factor(0), 0);
    ck_assert_double_eq(core_factor(0.5), 1);
    ck_assert_double_eq(core_factor(1.2), 1.2);
    ck_assert_double_eq(core_factor(3), SCA_MOST_CORE_SPEED);
}
END_TEST

/* Rank 3 takes 1.2 times as long for the other line. */
START_TEST(of_lines_and_exact_times_the_lesser_counts)
{
    double work[JUDGED], extra[JUDGED];
    struct sca_weighted others[64];
    program_fill(work, JUDGED, 10);
    program_fill(extra, JUDGED, 10);
    extra[3] = 12;
    struct program p = program_new();
    program_run(&p, JUDGED, work, extra);
    struct measured d = measured_open(p.model);
    judging_begin(&g, work, 0);
    judging_measured(&g, &d.m[0], d.ends, &p.work);
    g.j.others = others;
    ck_assert_double_eq_tol(sca_abnormal_ranks_core_factor(&g.j, 3), 1.2, 1e-6);
    g.elsewhere[3] = 1.3;
    ck_assert_double_eq_tol(sca_abnormal_ranks_core_factor(&g.j, 3), 1.2, 1e-6);
    g.elsewhere[3] = 1.1;
    ck_assert_double_eq_tol(sca_abnormal_ranks_core_factor(&g.j, 3), 1.1, 1e-6);
    measured_close(&d);
}
END_TEST

SCA_SUITE("abnormal ranks", five_standard_deviations_stand_out, and_the_threshold_must_be_reached,
          five_samples_where_others_have_none_stand_out,
          what_equal_ranks_and_cores_differ_by_is_not_over, a_slow_core_explains_some,
          where_others_have_none_any_is_over, exact_times_tell_of_a_core_within_bounds,
          of_lines_and_exact_times_the_lesser_counts)
