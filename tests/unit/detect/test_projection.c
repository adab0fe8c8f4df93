/* What a vertex takes on more ranks than were run. */
#include "verdict/projection.h"
#include "measured.h"
#include "check_main.h"

#include <math.h>

enum { RUNS = 4 };

static struct sca_measure runs[RUNS];

static void measure(double noise)
{
    for (uint32_t i = 0; i < RUNS; i++)
        runs[i] = (struct sca_measure){.nranks = 1u << i, .noise_level = noise};
}

/* The vertex' core-seconds grow with the ranks, the rest's stay: 1 of 10 on one rank. */
/* The exponent of the time per rank, as the report tells it. */
static struct sca_fit told_as(double slope, double off)
{
    return (struct sca_fit){.slope = slope, .low = slope - off, .high = slope + off};
}

START_TEST(what_grows_takes_over)
{
    const double vertex[RUNS] = {1, 2, 4, 8}, rest[RUNS] = {9, 9, 9, 9};
    struct sca_workspace space = test_room();
    struct sca_fit told = told_as(0, 0);
    struct sca_projection p;
    double interval[2];
    measure(0);
    ck_assert(sca_projection_fit(&space, runs, RUNS, vertex, rest, &told, &p));
    ck_assert_double_eq_tol(sca_projection_share(&p, 1, interval), 0.1, 1e-9);
    ck_assert_double_eq_tol(sca_projection_share(&p, 81, interval), 0.9, 1e-9);
    ck_assert_double_eq_tol(interval[0], 0.9, 1e-6); /* no point is off the line */
    ck_assert_double_eq_tol(interval[1], 0.9, 1e-6);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(what_scales_alike_keeps_its_share)
{
    const double vertex[RUNS] = {2, 2.2, 2.42, 2.662}, rest[RUNS] = {6, 6.6, 7.26, 7.986};
    struct sca_workspace space = test_room();
    struct sca_fit told = told_as(0, 0);
    struct sca_projection p;
    double interval[2];
    told = told_as(log(1.1) / log(2) - 1, 0.05);
    measure(0.05);
    ck_assert(sca_projection_fit(&space, runs, RUNS, vertex, rest, &told, &p));
    ck_assert_double_eq_tol(sca_projection_share(&p, 1024, interval), 0.25, 1e-6);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(the_further_the_less_certain)
{
    const double vertex[RUNS] = {1, 2, 4, 8}, rest[RUNS] = {9, 9, 9, 9};
    struct sca_workspace space = test_room();
    struct sca_fit told = told_as(0, 0);
    struct sca_projection p;
    double near[2], far[2];
    told = told_as(0, 0.2);
    measure(0.1);
    ck_assert(sca_projection_fit(&space, runs, RUNS, vertex, rest, &told, &p));
    sca_projection_share(&p, 9, near);
    double share = sca_projection_share(&p, 1000, far);
    ck_assert(far[0] < share && share < far[1]);
    ck_assert(far[0] >= 0 && far[1] <= 1);
    /* as odds, which a share near 1 hides */
    double wide = log(far[1] / (1 - far[1])) - log(far[0] / (1 - far[0]));
    ck_assert_double_gt(wide, log(near[1] / (1 - near[1])) - log(near[0] / (1 - near[0])));
    sca_workspace_free(&space);
}
END_TEST

/* An exponent between 0.2 and 2 is one of which nobody knows what becomes. */
START_TEST(bounds_follow_from_the_exponent_that_is_told)
{
    const double vertex[RUNS] = {1, 2, 4, 8}, rest[RUNS] = {9, 9, 9, 9};
    struct sca_workspace space = test_room();
    struct sca_fit told = told_as(0.1, 0.9), sure = told_as(0.1, 0.05);
    struct sca_projection p;
    double wide[2], narrow[2];
    measure(0.01);
    ck_assert(sca_projection_fit(&space, runs, RUNS, vertex, rest, &told, &p));
    ck_assert_double_eq_tol(p.vertex.slope, 1.1, 1e-9);
    sca_projection_share(&p, 64, wide);
    ck_assert(sca_projection_fit(&space, runs, RUNS, vertex, rest, &sure, &p));
    sca_projection_share(&p, 64, narrow);
    ck_assert_double_lt(wide[0], 0.6);
    ck_assert_double_gt(wide[1], 0.97);
    ck_assert_double_gt(narrow[0], wide[0] + 0.2);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(one_run_or_no_time_allows_no_model)
{
    const double vertex[RUNS] = {1, 2, 4, 8}, none[RUNS] = {0};
    struct sca_workspace space = test_room();
    struct sca_fit told = told_as(0, 0);
    struct sca_projection p;
    measure(0);
    ck_assert(!sca_projection_fit(&space, runs, 1, vertex, vertex, &told, &p));
    ck_assert(!sca_projection_fit(&space, runs, RUNS, none, vertex, &told, &p));
    ck_assert(!sca_projection_fit(&space, runs, RUNS, vertex, none, &told, &p));
    ck_assert(!sca_projection_fit(&space, runs, 2, vertex, vertex, &told, &p));
    runs[1].nranks = runs[0].nranks; /* two numbers of ranks */
    ck_assert(!sca_projection_fit(&space, runs, 3, vertex, vertex, &told, &p));
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("projection", what_grows_takes_over, what_scales_alike_keeps_its_share,
          the_further_the_less_certain, bounds_follow_from_the_exponent_that_is_told,
          one_run_or_no_time_allows_no_model)
