/* Time that ranks spent off their cores by their own will. */
#include "measure/off_cpu.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

static struct program p;
static struct measured d;

/* Rank 0: 0.2 s before the first call; rank 1: half a second in the steps. */
static void measure(void)
{
    p = program_new();
    uint32_t run = program_run(&p, 2, (double[]){100, 100}, (double[]){0, 0});
    model_blocked(p.model, run, 0, 0, 1, 0.2, 0.2);
    model_blocked(p.model, run, 1, 1, 1, 0.5, 0.1);
    d = measured_open(p.model);
}

START_TEST(in_all_intervals_or_in_some)
{
    const bool before[] = {true, false}, steps[] = {false, true}, none[] = {false, false};
    measure();
    ck_assert_double_eq_tol(sca_off_cpu(&d.space, &d.m[0], NULL), 0.7, 1e-9);
    ck_assert_double_eq_tol(sca_off_cpu(&d.space, &d.m[0], before), 0.2, 1e-9);
    ck_assert_double_eq_tol(sca_off_cpu(&d.space, &d.m[0], steps), 0.5, 1e-9);
    ck_assert_double_eq(sca_off_cpu(&d.space, &d.m[0], none), 0);
    measured_close(&d);
}
END_TEST

START_TEST(per_rank_between_two_calls)
{
    measure();
    const struct sca_interval_bounds round = {p.sum, p.sum}, start = {SCA_NONE, p.sum};
    const double *off = sca_off_cpu_unplaced(&d.space, &d.m[0], &round);
    ck_assert_double_eq(off[0], 0);
    ck_assert_double_eq_tol(off[1], 0.5, 1e-9);
    ck_assert_double_eq_tol(sca_off_cpu_unplaced(&d.space, &d.m[0], &start)[0], 0.2, 1e-9);
    measured_close(&d);
}
END_TEST

/* From a call to itself it is the loop's; from the start on, it is known to be the program's. */
START_TEST(it_belongs_to_what_is_around_both_calls)
{
    measure();
    const double *within = sca_off_cpu_within(&d.space, &d.m[0]);
    ck_assert_double_ge(within[p.step], 0.5);
    ck_assert_double_eq_tol(within[0], 0.7, 1e-9);
    ck_assert_double_eq(within[p.work], 0);
    measured_close(&d);
}
END_TEST

SCA_SUITE("off_cpu", in_all_intervals_or_in_some, per_rank_between_two_calls,
          it_belongs_to_what_is_around_both_calls)
