/* One run beside those on as many ranks. */
#include "report/run_comparison.h"
#include "check_main.h"
#include "measured.h"

enum { RUNS = 5 };

static struct sca_profile profiles[RUNS];
static struct sca_ppg_run runs[RUNS];
static struct sca_measure measures[RUNS];
static struct sca_ppg ppg;
static struct sca_workspace space;
static struct sca_analysis c;

/* Three runs on 4 ranks and two on 8. */
static void set_up(void)
{
    static const double totals[RUNS] = {10, 11, 12.1, 20, 30};
    for (int i = 0; i < RUNS; i++) {
        profiles[i] = (struct sca_profile){.complete = true};
        runs[i] = (struct sca_ppg_run){.profile = &profiles[i]};
        measures[i] = (struct sca_measure){.nranks = i < 3 ? 4 : 8, .total = totals[i]};
    }
    ppg = (struct sca_ppg){.nruns = RUNS, .runs = runs};
    space = test_room();
    c = (struct sca_analysis){.ppg = &ppg, .measures = measures, .space = &space, .last = RUNS - 1};
}

static void tear_down(void)
{
    sca_workspace_free(&space);
}

static void check(uint32_t run, double deviation)
{
    ck_assert_double_eq_tol(sca_run_comparison_deviation(&c, run), deviation, 1e-12);
}

START_TEST(a_run_is_compared_with_the_middle_one_on_as_many_ranks)
{
    check(0, 10 / 11. - 1);
    check(1, 0);
    check(2, 0.1);
    check(3, 0); /* of two the lesser is the measure */
    check(4, 0.5);
}
END_TEST

START_TEST(a_run_that_did_not_end_is_no_measure_of_others)
{
    profiles[2].complete = false;
    check(0, 0);
    check(1, 0.1);
    check(2, 0.21); /* but is compared itself */
    profiles[0].complete = profiles[1].complete = false;
    check(0, 0);
}
END_TEST

START_TEST(alone_a_run_differs_from_nothing)
{
    measures[4].nranks = 16;
    check(4, 0);
    measures[3].total = 0;
    check(3, 0);
}
END_TEST

START_TEST(work_is_told_against_the_largest_runs)
{
    runs[0].work = 5;
    runs[1].work = 40;
    ck_assert_double_eq(sca_run_comparison_work_scale(&c, 0), 1); /* that of the largest is not */
    runs[4].work = 20;
    ck_assert_double_eq(sca_run_comparison_work_scale(&c, 0), 4);
    ck_assert_double_eq(sca_run_comparison_work_scale(&c, 1), 0.5);
    ck_assert_double_eq(sca_run_comparison_work_scale(&c, 2), 1);
    ck_assert_double_eq(sca_run_comparison_work_scale(&c, 4), 1);
}
END_TEST

/* 10 s for half the work, 11 s for a third of it and 12.1 s for all: 20, 33 and 12.1 s. */
START_TEST(runs_of_different_work_are_compared_per_work)
{
    runs[0].work = 3;
    runs[1].work = 2;
    runs[2].work = runs[4].work = 6;
    check(0, 0);
    check(1, 33. / 20 - 1);
    check(2, 12.1 / 20 - 1);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("run_comparison");
    TCase *tcase = tcase_create("run_comparison");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_run_is_compared_with_the_middle_one_on_as_many_ranks);
    tcase_add_test(tcase, a_run_that_did_not_end_is_no_measure_of_others);
    tcase_add_test(tcase, alone_a_run_differs_from_nothing);
    tcase_add_test(tcase, work_is_told_against_the_largest_runs);
    tcase_add_test(tcase, runs_of_different_work_are_compared_per_work);
    suite_add_tcase(suite, tcase);
    return suite;
}
