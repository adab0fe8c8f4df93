/* What is put down to shared cores. Planted: every instance's work, and which of it is disturbance.
 */
#include "trace/os_noise.h"
#include "trace/instances.h"
#include "team/team.h"
#include "check_main.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, STEPS = 64, SITE = 1, NSITES = 2, MORE = 3, RARE = 5, SLOW_STEP = 40 };

static const double WORK = 1e-3, SPIKE = 0.8e-3, EXTRA = 1e-3, LONG = 20e-3;

static jmp_buf out_of_memory;
static struct sca_team alone = {.size = 1};
static struct sca_event_sequence sequences[RANKS];
static double intervals[RANKS][STEPS];
static uint32_t sites[STEPS + 1];
static struct sca_trace trace;
static struct sca_traces traces;
static struct sca_intervals intervals_of_run;

/* Every rank is disturbed in one step of sixteen, each in others. */
static bool is_disturbed(uint32_t rank, uint32_t event)
{
    return event % 16 == 2 * rank;
}

static void fill(double spike)
{
    for (uint32_t i = 0; i <= STEPS; i++)
        sites[i] = SITE;
    for (uint32_t r = 0; r < RANKS; r++) {
        for (uint32_t i = 0; i < STEPS; i++)
            intervals[r][i] = WORK + (r == MORE ? EXTRA : 0) + (is_disturbed(r, i) ? spike : 0);
        sequences[r] =
            (struct sca_event_sequence){.nevents = STEPS, .sites = sites, .interval = intervals[r]};
    }
    intervals[RARE][SLOW_STEP] += LONG;
    trace = (struct sca_trace){
        .nranks = RANKS, .sequences = sequences, .weight = 1, .nevents = RANKS * STEPS};
    traces = (struct sca_traces){.team = &alone, .count = 1, .traces = &trace, .recorded = true};
    traces.space.out_of_memory = &out_of_memory;
}

static void find(void)
{
    sca_instances_compare(&traces.space, &trace, NSITES);
    sca_os_noise_find(&traces, RANKS, &intervals_of_run);
}

static void judge(double spike)
{
    fill(spike);
    find();
}

/* All ranks from `first` on have more to do, instead of a single one. */
static void fill_upper(uint32_t first, double spike)
{
    fill(spike);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++)
            intervals[r][i] += (r >= first ? EXTRA : 0) - (r == MORE ? EXTRA : 0);
}

static double calm(uint32_t rank, uint32_t event)
{
    return sequences[rank].interval[event] - (double)sequences[rank].disturbed[event];
}

START_TEST(what_falls_on_all_alike_is_the_cores)
{
    judge(SPIKE);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++)
            if (r != RARE)
                ck_assert_double_eq_tol(calm(r, i), WORK + (r == MORE ? EXTRA : 0), 1e-5);
    sca_workspace_free(&traces.space);
}
END_TEST

START_TEST(a_slow_step_of_one_rank_is_its_own)
{
    judge(SPIKE);
    ck_assert_double_ge(calm(RARE, SLOW_STEP), WORK + 0.7 * LONG);
    sca_workspace_free(&traces.space);
}
END_TEST

START_TEST(what_differs_always_is_excess_still)
{
    judge(SPIKE);
    ck_assert_double_eq_tol((double)trace.calm_excess[MORE * NSITES + SITE], EXTRA / (WORK + EXTRA),
                            1e-3);
    ck_assert_double_eq_tol((double)trace.calm_excess[SITE], 0, 5e-3);
    sca_workspace_free(&traces.space);
}
END_TEST

/* Three times the work in one step of sixteen is nothing that cores do. */
START_TEST(much_that_falls_on_all_is_the_programs)
{
    judge(3 * WORK);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++)
            ck_assert_double_eq(calm(r, i), intervals[r][i]);
    sca_workspace_free(&traces.space);
}
END_TEST

START_TEST(half_of_the_ranks_slow_are_no_disturbance)
{
    fill_upper(RANKS / 2, SPIKE);
    find();
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++)
            if (r != RARE)
                ck_assert_double_eq_tol(calm(r, i), WORK + (r >= RANKS / 2 ? EXTRA : 0), 1e-5);
    sca_workspace_free(&traces.space);
}
END_TEST

/* A few long instances in the lower half: the ranks' median is then one of the upper half. */
START_TEST(long_instances_disturb_no_other_rank)
{
    static const uint32_t sometimes[] = {7, 23, 24, 51};
    fill_upper(RANKS / 2, 0);
    intervals[RARE][SLOW_STEP] -= LONG;
    for (size_t i = 0; i < sizeof sometimes / sizeof *sometimes; i++)
        intervals[i % 2][sometimes[i]] += 2 * EXTRA;
    find();
    for (uint32_t r = 2; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++)
            ck_assert_double_eq_tol((double)sequences[r].disturbed[i], 0, 1e-6);
    sca_workspace_free(&traces.space);
}
END_TEST

/* The last instance is hardly anything for anyone: in it, those that always lie below the rank that
 * they are compared with are as slow as that one. */
START_TEST(no_more_than_there_is_is_put_down_to_the_cores)
{
    fill_upper(RANKS / 4, SPIKE);
    for (uint32_t r = 0; r < RANKS; r++)
        intervals[r][STEPS - 1] = WORK / 100;
    find();
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++)
            ck_assert_double_ge(calm(r, i), 0);
    sca_workspace_free(&traces.space);
}
END_TEST

/* As much again as it usually has there, in few steps: of the cores' part it has as much as others,
 * not more for that. */
START_TEST(who_has_rare_slow_steps_is_disturbed_no_more_for_them)
{
    double all = 0, planted = 0;
    fill(SPIKE);
    intervals[RARE][SLOW_STEP] -= LONG;
    for (uint32_t i = 5; i < STEPS; i += 10) {
        intervals[RARE][i] += 2 * SPIKE;
        planted += 2 * SPIKE;
    }
    find();
    for (uint32_t i = 0; i < STEPS; i++)
        all += calm(RARE, i) - WORK;
    ck_assert_double_ge(all, 0.65 * planted);
    sca_workspace_free(&traces.space);
}
END_TEST

START_TEST(instances_that_are_not_known_are_left_alone)
{
    fill(SPIKE);
    traces.recorded = false;
    sca_os_noise_find(&traces, RANKS, &intervals_of_run);
    ck_assert_ptr_null(sequences[0].disturbed);
    ck_assert_ptr_null(trace.calm_excess);
    sca_workspace_free(&traces.space);
}
END_TEST

START_TEST(the_interval_with_most_of_it)
{
    judge(SPIKE);
    ck_assert_uint_eq(sca_os_noise_most(&traces.space, &traces, &intervals_of_run), SITE);
    sca_workspace_free(&traces.space);
    judge(0);
    ck_assert_uint_eq(sca_os_noise_most(&traces.space, &traces, &intervals_of_run), SCA_NONE);
    sca_workspace_free(&traces.space);
}
END_TEST

static void open_intervals(void)
{
    ck_assert_int_eq(sca_intervals_open_joined(&intervals_of_run, NSITES), 0);
}

static void close_intervals(void)
{
    sca_intervals_free(&intervals_of_run);
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("disturbance");
    TCase *tests = tcase_create("disturbance");
    tcase_add_checked_fixture(tests, open_intervals, close_intervals);
    tcase_add_test(tests, what_falls_on_all_alike_is_the_cores);
    tcase_add_test(tests, a_slow_step_of_one_rank_is_its_own);
    tcase_add_test(tests, what_differs_always_is_excess_still);
    tcase_add_test(tests, much_that_falls_on_all_is_the_programs);
    tcase_add_test(tests, half_of_the_ranks_slow_are_no_disturbance);
    tcase_add_test(tests, long_instances_disturb_no_other_rank);
    tcase_add_test(tests, no_more_than_there_is_is_put_down_to_the_cores);
    tcase_add_test(tests, who_has_rare_slow_steps_is_disturbed_no_more_for_them);
    tcase_add_test(tests, instances_that_are_not_known_are_left_alone);
    tcase_add_test(tests, the_interval_with_most_of_it);
    suite_add_tcase(suite, tests);
    return suite;
}
