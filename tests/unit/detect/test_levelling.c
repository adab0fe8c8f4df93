/* How much of a finding's work is left when its ranks are given what the others need. */
#include "imbalance/levelling.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 4 };

static struct program p;
static struct measured d;

static void measure(const double *work)
{
    p = program_new();
    program_run(&p, RANKS, work, (double[RANKS]){5, 5, 5, 5});
    d = measured_open(p.model);
}

START_TEST(to_what_the_others_need)
{
    uint32_t ranks[] = {1, 3};
    measure((double[RANKS]){10, 20, 10, 40});
    struct sca_finding c = {
        .vertex = p.work, .nvertices = 1, .vertices = &p.work, .nranks = 2, .ranks = ranks};
    sca_levelling_level_to(&d.space, &d.m[0], d.ends, &c, 10);
    ck_assert_double_eq(c.transform.factor[0], 1);
    ck_assert_double_eq_tol(c.transform.factor[1], 0.5, 1e-6);
    ck_assert_double_eq(c.transform.factor[2], 1);
    ck_assert_double_eq_tol(c.transform.factor[3], 0.25, 1e-6);
    measured_close(&d);
}
END_TEST

START_TEST(nothing_is_left_of_what_nobody_else_has)
{
    uint32_t one = 2;
    measure((double[RANKS]){0, 0, 8, 0});
    struct sca_finding c = {
        .vertex = p.work, .nvertices = 1, .vertices = &p.work, .nranks = 1, .ranks = &one};
    sca_levelling_level_to(&d.space, &d.m[0], d.ends, &c, 0);
    ck_assert_double_eq_tol(c.transform.factor[2], 0, 1e-6);
    ck_assert_double_eq(c.transform.factor[1], 1);
    measured_close(&d);
}
END_TEST

START_TEST(by_so_many_seconds_and_never_below_none)
{
    uint32_t ranks[] = {0, 2};
    double factor[RANKS] = {1, 1, 1, 1};
    measure((double[RANKS]){10, 10, 10, 10});
    struct sca_finding c = {.vertex = p.work,
                            .nvertices = 1,
                            .vertices = &p.work,
                            .nranks = 2,
                            .ranks = ranks,
                            .transform.factor = factor};
    sca_levelling_level_by(&d.space, &d.m[0], &c, (double[]){2.5, 11});
    ck_assert_double_eq_tol(c.transform.factor[0], 0.75, 1e-6);
    ck_assert_double_eq(c.transform.factor[1], 1);
    ck_assert_double_eq(c.transform.factor[2], 0);
    ck_assert_ptr_null(c.transform.factors);
    measured_close(&d);
}
END_TEST

/* Rank 1 has all of its excess on one path: from that it is taken. */
START_TEST(of_several_paths_the_one_that_has_it)
{
    uint32_t one = 1, paths[2];
    double factor[RANKS] = {1, 1, 1, 1};
    measure((double[RANKS]){10, 18, 10, 10});
    paths[0] = p.work;
    paths[1] = p.extra;
    struct sca_finding c = {.vertex = p.work,
                            .nvertices = 2,
                            .vertices = paths,
                            .nranks = 1,
                            .ranks = &one,
                            .transform.factor = factor};
    sca_levelling_level_by(&d.space, &d.m[0], &c, (double[]){8});
    ck_assert_double_eq_tol(c.transform.factor[1], 1 - 8.0 / 23, 1e-6);
    ck_assert_double_eq_tol(c.transform.factors[1], 10.0 / 18, 1e-6);
    ck_assert_double_eq_tol(c.transform.factors[RANKS + 1], 1, 1e-6);
    measured_close(&d);
}
END_TEST

SCA_SUITE("levelling", to_what_the_others_need, nothing_is_left_of_what_nobody_else_has,
          by_so_many_seconds_and_never_below_none, of_several_paths_the_one_that_has_it)
