/* What ranks compute on the way from one call to another. */
#include "measure/interval_bounds.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 5 };

static struct model *model;
static uint32_t run, first, second, halo, sum;

/* Each rank: from the start to halo, 10 times from there to sum, 9 times back. */
static void make(const uint64_t *count, const double *seconds)
{
    model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    halo = model_vertex(model, 0, SCA_MPI, "MPI_Sendrecv", "main", 20);
    sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 30);
    run = model_run(model, RANKS);
    first = model_site(model, run, halo);
    second = model_site(model, run, sum);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, run, r, 0, first, 1, work, 0.25);
        model_work(model, run, r, first, second, count[r], work, seconds[r]);
        model_work(model, run, r, second, first, 9, work, 0.5);
    }
}

static const uint64_t alike[RANKS] = {10, 10, 10, 10, 10};

START_TEST(a_bounds_has_the_intervals_between_its_calls)
{
    make(alike, (double[RANKS]){1, 2, 3, 4, 5});
    const struct sca_ppg_run *r = &model_ppg(model)->runs[run];
    const struct sca_interval_bounds forth = {halo, sum}, onward = {halo, SCA_NONE},
                                     start = {SCA_NONE, halo};
    ck_assert(sca_interval_bounds_has(r, &forth, first, second));
    ck_assert(!sca_interval_bounds_has(r, &forth, second, first));
    ck_assert(!sca_interval_bounds_has(r, &forth, first, SCA_NONE));
    ck_assert(sca_interval_bounds_has(r, &onward, first, second));
    ck_assert(sca_interval_bounds_has(r, &onward, first, SCA_NONE));
    ck_assert(!sca_interval_bounds_has(r, &onward, second, first));
    ck_assert(sca_interval_bounds_has(r, &start, 0, first));
    ck_assert(!sca_interval_bounds_has(r, &start, second, first));
    model_free(model);
}
END_TEST

START_TEST(seconds_and_counts_are_those_of_the_bounds)
{
    const double seconds[RANKS] = {1, 2, 3, 4, 5};
    make(alike, seconds);
    struct measured d = measured_open(model);
    const struct sca_interval_bounds forth = {halo, sum}, back = {sum, SCA_NONE};
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(&d.space, &d.m[run], &forth);
    struct sca_interval_bounds_times after =
        sca_interval_bounds_measure(&d.space, &d.m[run], &back);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(of.seconds[r], seconds[r], 1e-9);
        ck_assert_double_eq(of.count[r], 10);
        ck_assert_double_eq_tol(after.seconds[r], 0.5, 1e-9);
    }
    measured_close(&d);
}
END_TEST

/* Ten times, give or take one, is as often: the others say nothing. */
START_TEST(who_comes_more_or_less_often_gets_the_median)
{
    make((uint64_t[RANKS]){10, 11, 10, 9, 12}, (double[RANKS]){1, 2, 3, 2.5, 50});
    struct measured d = measured_open(model);
    const struct sca_interval_bounds forth = {halo, sum};
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(&d.space, &d.m[run], &forth);
    ck_assert(sca_interval_bounds_compare(&d.space, &d.m[run], &of));
    ck_assert_double_eq_tol(of.seconds[1], 2, 1e-9);
    ck_assert_double_eq_tol(of.seconds[3], 2.5, 1e-9);
    ck_assert_double_eq_tol(of.seconds[4], 2, 1e-9); /* lower median of 1, 2, 2.5, 3 */
    measured_close(&d);
}
END_TEST

START_TEST(half_of_the_ranks_must_be_comparable)
{
    make((uint64_t[RANKS]){10, 20, 30, 10, 20}, (double[RANKS]){1, 1, 1, 1, 1});
    struct measured d = measured_open(model);
    const struct sca_interval_bounds forth = {halo, sum}, nowhere = {sum, sum};
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(&d.space, &d.m[run], &forth);
    ck_assert(
        !sca_interval_bounds_compare(&d.space, &d.m[run], &of)); /* two of five come 20 times */
    of = sca_interval_bounds_measure(&d.space, &d.m[run], &nowhere);
    ck_assert(!sca_interval_bounds_compare(&d.space, &d.m[run], &of));
    measured_close(&d);
}
END_TEST

SCA_SUITE("vertex_interval", a_bounds_has_the_intervals_between_its_calls,
          seconds_and_counts_are_those_of_the_bounds, who_comes_more_or_less_often_gets_the_median,
          half_of_the_ranks_must_be_comparable)
