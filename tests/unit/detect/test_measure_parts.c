/* What was measured of vertices and intervals: sums, with all below, and their error. */
#include "measure/measure.h"
#include "check_main.h"
#include "measured.h"

#include <math.h>

static struct model *model;
static uint32_t step, one, work, inner, other, two, in_run, first, second;

/* A loop with two calls, between them a nest of loops and another one. */
static void begin(uint32_t nranks)
{
    model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    one = model_vertex(model, step, SCA_MPI, "MPI_Barrier", "main", 11);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    inner = model_vertex(model, work, SCA_LOOP, "", "main", 13);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 15);
    two = model_vertex(model, step, SCA_MPI, "MPI_Barrier", "main", 18);
    in_run = model_run(model, nranks);
    first = model_site(model, in_run, one);
    second = model_site(model, in_run, two);
}

/* From the first call to the second, ten times; 1,000 samples a second. */
static void works(uint32_t rank, uint32_t vertex, double seconds)
{
    model_work(model, in_run, rank, first, second, 10, vertex, seconds);
}

START_TEST(inclusive_is_own_and_all_below)
{
    begin(2);
    works(0, work, 1);
    works(0, inner, 0.5);
    works(0, other, 0.25);
    works(1, inner, 4);
    struct measured d = measured_open(model);
    const double *in = d.m[0].inclusive;
    ck_assert_double_eq_tol(in[inner * 2], 0.5, 1e-12);
    ck_assert_double_eq_tol(in[work * 2], 1.5, 1e-12);
    ck_assert_double_eq_tol(in[step * 2], 1.75, 1e-12);
    ck_assert_double_eq_tol(in[work * 2 + 1], 4, 1e-12);
    ck_assert_double_eq(in[one * 2], 0);
    ck_assert_double_eq_tol(d.m[0].rank_total[0], 1.75, 1e-12);
    ck_assert_double_eq_tol(d.m[0].total, 5.75, 1e-12);
    measured_close(&d);
}
END_TEST

START_TEST(a_subtree_ends_where_the_next_vertex_is_not_below)
{
    begin(1);
    struct measured d = measured_open(model);
    ck_assert(d.ends[work] == other && d.ends[inner] == other);
    ck_assert(d.ends[0] == two + 1 && d.ends[step] == two + 1 && d.ends[two] == two + 1);
    measured_close(&d);
}
END_TEST

/* ---- the error of one rank's time ---- */

static double noise_of(const struct measured *d, uint32_t vertex)
{
    return d->m[0].noise[vertex];
}

/* A quarter of four seconds, by 4,000 samples: what a count of a thousand of them varies. */
static const double sampled = 4 * 0.00684653196881; /* sqrt(0.25 * 0.75 / 4000) */

START_TEST(samples_divide_an_interval_with_an_error)
{
    begin(1);
    works(0, work, 1);
    works(0, other, 3);
    struct measured d = measured_open(model);
    ck_assert_double_eq_tol(noise_of(&d, work), sampled, 1e-7);
    ck_assert_double_eq_tol(noise_of(&d, other), sampled, 1e-7);
    ck_assert_double_eq_tol(noise_of(&d, step), 10 * 1e-7, 1e-12); /* it has all of it */
    ck_assert_double_eq_tol(noise_of(&d, 0), 10 * 1e-7, 1e-12);
    ck_assert_double_eq(noise_of(&d, inner), 0);
    measured_close(&d);
}
END_TEST

START_TEST(less_than_a_sample_is_worth_one)
{
    begin(1);
    works(0, work, 1);
    works(0, other, 3);
    model_rare(model, in_run, SCA_NONE, 0.1);
    struct measured d = measured_open(model);
    ck_assert_double_eq_tol(noise_of(&d, work), 4 * sqrt(0.25 * 0.75), 1e-6);
    measured_close(&d);
}
END_TEST

/* Errors of samples are independent, those of the clock add up. */
START_TEST(several_intervals_add_their_errors)
{
    begin(1);
    works(0, work, 1);
    works(0, other, 3);
    model_work(model, in_run, 0, second, first, 20, work, 1);
    model_work(model, in_run, 0, second, first, 20, other, 3);
    struct measured d = measured_open(model);
    ck_assert_double_eq_tol(noise_of(&d, work), sqrt(2) * sampled, 1e-7);
    ck_assert_double_eq_tol(noise_of(&d, step), 30 * 1e-7, 1e-12);
    measured_close(&d);
}
END_TEST

START_TEST(shared_cores_make_it_more)
{
    begin(1);
    works(0, work, 1);
    model_meta(model, in_run, "oversubscribed", "1");
    struct measured d = measured_open(model);
    ck_assert_double_eq_tol(noise_of(&d, work), 10 * 2e-6, 1e-11);
    measured_close(&d);
}
END_TEST

/* One second of four, in what holds the way from the one call to the other. */
START_TEST(what_is_off_the_core_is_exact)
{
    begin(1);
    works(0, step, 1);
    works(0, work, 3);
    model_blocked(model, in_run, 0, first, second, 1, 0.1);
    struct measured d = measured_open(model);
    ck_assert_double_eq_tol(noise_of(&d, work), 10 * 1e-7, 1e-12);
    measured_close(&d);
}
END_TEST

/* ---- what is between two calls ---- */

/* Two ranks; behind call 0 is one interval, behind call 1 are two, behind call 2 is none. */
static uint32_t numbers[] = {0, 1, 3, 3}, next[] = {1, 1, 2};
static uint32_t first_share[] = {0, 1, 3, 4, 4, 4, 5};
static struct sca_ppg_share shares[] = {{1, 9, 8}, {1, 9, 1}, {3, 9, 2}, {2, 9, 4}, {2, 9, 16}};
static const struct sca_ppg_run run = {
    .nranks = 2, .intervals = {3, 3, numbers, next}, .first_share = first_share, .shares = shares};
static const struct sca_measure m = {.run = &run, .nranks = 2};

START_TEST(seconds_of_a_rank_in_an_interval)
{
    ck_assert_double_eq(sca_measure_seconds_in(&m, 0, 0), 8);
    ck_assert_double_eq(sca_measure_seconds_in(&m, 0, 1), 3);
    ck_assert_double_eq(sca_measure_seconds_in(&m, 0, 2), 4);
    ck_assert_double_eq(sca_measure_seconds_in(&m, 1, 1), 0);
    ck_assert_double_eq(sca_measure_seconds_in(&m, 1, 2), 16);
    ck_assert_double_eq(sca_measure_seconds_in(&m, 1, SCA_NONE), 0);
}
END_TEST

START_TEST(seconds_after_a_call_are_those_of_all_ways)
{
    ck_assert_double_eq(sca_measure_seconds_after(&m, 0, 0), 8);
    ck_assert_double_eq(sca_measure_seconds_after(&m, 0, 1), 7);
    ck_assert_double_eq(sca_measure_seconds_after(&m, 0, 2), 0);
    ck_assert_double_eq(sca_measure_seconds_after(&m, 1, 1), 16);
}
END_TEST

START_TEST(seconds_by_vertex_are_added)
{
    double by_vertex[4] = {0.5, 0.5, 0, 0};
    sca_measure_add_in(&m, 0, 1, by_vertex);
    sca_measure_add_in(&m, 0, 2, by_vertex);
    sca_measure_add_in(&m, 0, SCA_NONE, by_vertex);
    ck_assert(by_vertex[0] == 0.5 && by_vertex[1] == 1.5);
    ck_assert(by_vertex[2] == 4 && by_vertex[3] == 2);
}
END_TEST

/* Vertex 1 has 2 below it, 3 stands behind. */
START_TEST(parts_are_of_the_vertices_and_all_below)
{
    const uint32_t ends[] = {4, 3, 3, 4}, outer = 1, both[] = {2, 3};
    ck_assert_double_eq(sca_measure_part_in(&m, ends, &outer, 1, 0, 1), 1);
    ck_assert_double_eq(sca_measure_part_in(&m, ends, &outer, 1, 0, 2), 4);
    ck_assert_double_eq(sca_measure_part_in(&m, ends, both, 2, 0, 1), 2);
    ck_assert_double_eq(sca_measure_part_in(&m, ends, both, 0, 0, 1), 0);
    ck_assert_double_eq(sca_measure_part_in(&m, ends, both, 2, 0, SCA_NONE), 0);
}
END_TEST

SCA_SUITE("measure_parts", inclusive_is_own_and_all_below,
          a_subtree_ends_where_the_next_vertex_is_not_below,
          samples_divide_an_interval_with_an_error, less_than_a_sample_is_worth_one,
          several_intervals_add_their_errors, shared_cores_make_it_more,
          what_is_off_the_core_is_exact, seconds_of_a_rank_in_an_interval,
          seconds_after_a_call_are_those_of_all_ways, seconds_by_vertex_are_added,
          parts_are_of_the_vertices_and_all_below)
