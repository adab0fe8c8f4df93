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

START_TEST(in_all_gaps_or_in_some)
{
    const bool before[] = {true, false}, steps[] = {false, true}, none[] = {false, false};
    measure();
    ck_assert_double_eq_tol(sca_off_core(&d.room, &d.m[0], NULL), 0.7, 1e-9);
    ck_assert_double_eq_tol(sca_off_core(&d.room, &d.m[0], before), 0.2, 1e-9);
    ck_assert_double_eq_tol(sca_off_core(&d.room, &d.m[0], steps), 0.5, 1e-9);
    ck_assert_double_eq(sca_off_core(&d.room, &d.m[0], none), 0);
    measured_close(&d);
}
END_TEST

START_TEST(of_one_rank_on_a_way)
{
    measure();
    const struct sca_way round = {p.sum, p.sum}, start = {SCA_NONE, p.sum};
    struct sca_opened *opened = sca_room_opened(&d.room, d.m[0].run->profile);
    ck_assert_double_eq(sca_off_core_on(opened, &d.m[0], 0, &round), 0);
    ck_assert_double_eq_tol(sca_off_core_on(opened, &d.m[0], 1, &round), 0.5, 1e-9);
    ck_assert_double_eq_tol(sca_off_core_on(opened, &d.m[0], 0, &start), 0.2, 1e-9);
    measured_close(&d);
}
END_TEST

/* From a call to itself it is the loop's; from the start on, it is known to be the program's. */
START_TEST(it_belongs_to_what_is_around_both_calls)
{
    measure();
    const double *within = sca_off_core_within(&d.room, &d.m[0]);
    ck_assert_double_ge(within[p.step], 0.5);
    ck_assert_double_eq_tol(within[0], 0.7, 1e-9);
    ck_assert_double_eq(within[p.work], 0);
    measured_close(&d);
}
END_TEST

SCA_SUITE("off_cpu", in_all_gaps_or_in_some, of_one_rank_on_a_way,
          it_belongs_to_what_is_around_both_calls)
