/* Threads that call MPI are compared one by one: how many of them a rank has beside the late one
 * does not change the answer. */
#include "imbalance/abnormal.h"
#include "measured.h"
#include "check_main.h"

#include <string.h>

enum { RANKS = 4, LATE = 2, STEPS = 100, MOST = 8 };

static struct measured d;
static uint32_t work, call;

/* Each thread of each rank computes for `usual`, times what is told, before its calls. */
static void measure(uint32_t nthreads, double usual, const double times[RANKS][MOST])
{
    struct model *model = model_new();
    work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    call = model_vertex(model, 0, SCA_MPI, "MPI_Pready", "main", 11);
    uint32_t run = model_run(model, RANKS);
    for (uint32_t t = 0; t < nthreads; t++) {
        uint32_t site = model_site(model, run, call);
        model_thread(model, run, site, (uint16_t)t);
        for (uint32_t r = 0; r < RANKS; r++)
            model_work(model, run, r, site, site, STEPS, work, usual * times[r][t]);
    }
    d = measured_open(model);
    d.m[0].shared = true;
}

static void fill(double times[RANKS][MOST])
{
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t t = 0; t < MOST; t++)
            times[r][t] = 1;
}

static void check_late_thread(const struct sca_abnormal *a, double usual)
{
    ck_assert_uint_eq(a->nranks, 1);
    ck_assert_uint_eq(a->ranks[0], LATE);
    ck_assert_double_eq_tol(a->ratio, 4, 1e-3);
    ck_assert_double_eq_tol(a->excess, 3 * usual, 1e-3);
    ck_assert(!a->inconclusive);
}

static const uint32_t counts[] = {1, 2, 4, 8};

START_TEST(healthy_siblings_do_not_count)
{
    const struct sca_abnormal_limits limits = {1.3, 0, INFINITY};
    const double usual = 5;
    double times[RANKS][MOST];
    struct sca_abnormals found;
    fill(times);
    times[LATE][counts[_i] - 1] = 4;
    measure(counts[_i], usual, times);
    sca_abnormal_find(&d.space, &d.m[0], d.ends, &limits, &found);
    ck_assert_uint_ne(found.of_vertex[work], SCA_NONE);
    check_late_thread(&found.items[found.of_vertex[work]], usual);
    measured_close(&d);
}
END_TEST

START_TEST(nor_do_they_behind_a_call)
{
    const double usual = 5;
    double times[RANKS][MOST];
    struct sca_abnormal a;
    fill(times);
    times[LATE][counts[_i] - 1] = 4;
    measure(counts[_i], usual, times);
    const struct sca_interval_bounds bounds = {call, SCA_NONE};
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(&d.space, &d.m[0], &bounds);
    ck_assert(sca_abnormal_judge_bounds(&d.space, &d.m[0], &bounds, &of, 1.3, &a));
    check_late_thread(&a, usual);
    measured_close(&d);
}
END_TEST

/* Whichever thread comes first does more of what they share. */
START_TEST(what_a_sibling_does_less_of_makes_up_for_it)
{
    const struct sca_abnormal_limits limits = {1.3, 0, INFINITY};
    double times[RANKS][MOST];
    struct sca_abnormals found;
    fill(times);
    times[LATE][0] = 1.8;
    times[LATE][1] = 0.2;
    measure(2, 5, times);
    sca_abnormal_find(&d.space, &d.m[0], d.ends, &limits, &found);
    ck_assert_uint_eq(found.count, 0);
    measured_close(&d);
}
END_TEST

/* All threads of a rank take half as long again: so does the rank. */
START_TEST(all_threads_of_a_rank_are_told_with_their_ratio)
{
    const struct sca_abnormal_limits limits = {1.3, 0, INFINITY};
    double times[RANKS][MOST];
    struct sca_abnormals found;
    fill(times);
    for (uint32_t t = 0; t < MOST; t++)
        times[LATE][t] = 1.5;
    measure(MOST, 5, times);
    sca_abnormal_find(&d.space, &d.m[0], d.ends, &limits, &found);
    ck_assert_uint_ne(found.of_vertex[work], SCA_NONE);
    const struct sca_abnormal *a = &found.items[found.of_vertex[work]];
    ck_assert_double_eq_tol(a->ratio, 1.5, 1e-3);
    ck_assert_double_eq_tol(a->excess, MOST * 2.5, 1e-3);
    measured_close(&d);
}
END_TEST

Suite *test_suite(void)
{
    enum { COUNTS = sizeof counts / sizeof *counts };
    Suite *suite = suite_create("abnormal_threads");
    TCase *tests = tcase_create("abnormal_threads");
    tcase_add_loop_test(tests, healthy_siblings_do_not_count, 0, COUNTS);
    tcase_add_loop_test(tests, nor_do_they_behind_a_call, 0, COUNTS);
    tcase_add_test(tests, what_a_sibling_does_less_of_makes_up_for_it);
    tcase_add_test(tests, all_threads_of_a_rank_are_told_with_their_ratio);
    suite_add_tcase(suite, tests);
    return suite;
}
