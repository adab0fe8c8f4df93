/* Strong or weak scaling: told by the user, by the work itself, or left open. */
#include "sca_phrase.h"
#include "verdict_program.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One rank's seconds in the program's two loops, by the number of ranks. */
typedef double seconds_fn(uint32_t nranks);

static double constant(uint32_t nranks)
{
    return nranks ? 1 : 0;
}

static double divided(uint32_t nranks)
{
    return 8.0 / nranks;
}

static double between(uint32_t nranks)
{
    return 4 / sqrt(nranks);
}

static double growing(uint32_t nranks)
{
    return 0.5 * nranks;
}

static double little(uint32_t nranks)
{
    return nranks ? 0.2 : 0;
}

static double none(uint32_t nranks)
{
    return nranks ? 0 : 1;
}

/* Runs on so many ranks (ends with 0); the first rank does the work `first` times. */
static struct program make(const uint32_t *sizes, seconds_fn *work, seconds_fn *extra, double first,
                           const double *told)
{
    struct program p = program_new();
    double w[8], e[8];
    for (int i = 0; sizes[i]; i++) {
        program_fill(w, sizes[i], work(sizes[i]));
        program_fill(e, sizes[i], extra(sizes[i]));
        w[0] *= first;
        uint32_t run = program_run(&p, sizes[i], w, e);
        if (told)
            model_told(p.model, run, told[i]);
    }
    return p;
}

static const uint32_t three[] = {2, 4, 8, 0}, two[] = {1, 8, 0};

static uint32_t count_growth(const struct sca_report *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->ncauses; i++)
        n += !strcmp(r->causes[i].category, "nonscalable");
    return n;
}

/* The one note that begins like this. */
static const char *note(const struct sca_report *r, const char *begin)
{
    const char *found = NULL;
    for (uint32_t i = 0; i < r->nnotes; i++)
        if (!strncmp(r->notes[i], begin, strlen(begin))) {
            ck_assert_msg(!found, "twice: %s", begin);
            found = r->notes[i];
        }
    return found;
}

#define OPEN "Scaling mode uncertain: total computation"

static void expect(struct program *p, const char *mode, bool open, uint32_t growth)
{
    struct sca_verdict v;
    const struct sca_report *r = program_judge(p, &v);
    ck_assert_str_eq(r->scaling_mode, mode);
    ck_assert_int_eq(r->scaling_open, open);
    ck_assert_uint_eq(count_growth(r), growth);
    ck_assert_int_eq(note(r, OPEN) != NULL, open);
    program_finish(p, &v);
}

START_TEST(clear_ones_are_decided)
{
    struct program p = make(three, divided, none, 1, NULL);
    expect(&p, "strong", false, 0);
    p = make(three, constant, none, 1, NULL);
    expect(&p, "weak", false, 0);
    p = make(two, constant, little, 1, NULL);
    expect(&p, "weak", false, 0);
    p = make(two, divided, constant, 1, NULL);
    expect(&p, "strong", false, 1);
}
END_TEST

/* One rank does it many times over; alone it has nobody to be compared with. */
START_TEST(a_plant_does_not_flip_the_mode)
{
    struct program p = make(two, constant, constant, 4, NULL);
    expect(&p, "weak", false, 0);
    p = make(three, constant, little, 4, NULL);
    expect(&p, "weak", false, 0);
    p = make(two, divided, divided, 4, NULL);
    expect(&p, "strong", false, 0);
    p = make(three, divided, little, 4, NULL);
    expect(&p, "strong", false, 0);
}
END_TEST

/* One of the ranks has a third; of two ranks nobody can tell which is the usual one. */
START_TEST(few_with_less_do_not_hide_that_the_sum_stays)
{
    struct program p = program_new();
    double work[8], extra[8];
    program_fill(extra, 8, 0);
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, 8 / (n - 2.0 / 3));
        work[n / 3] /= 3;
        program_run(&p, n, work, extra);
    }
    expect(&p, "strong", false, 0);
}
END_TEST

/* Nearly all is in the loop that the one rank repeats: what is left tells little. */
START_TEST(where_a_plant_hides_all_it_is_open)
{
    struct program p = make(two, constant, little, 4, NULL);
    expect(&p, "weak", true, 0);
}
END_TEST

/* A little of it stays with each rank: a growth if the problem is the same, none if it grows. */
START_TEST(what_fits_neither_is_left_open)
{
    struct program p = make(two, between, constant, 1, NULL);
    struct sca_verdict v;
    const struct sca_report *r = program_judge(&p, &v);
    const char *told = note(r, OPEN);
    ck_assert(r->scaling_open);
    ck_assert_uint_eq(r->ncauses, 0);
    ck_assert_uint_eq(r->nnonscalable, 0);
    ck_assert_uint_eq(r->nunconfirmed, 1);
    ck_assert_msg(strstr(r->causes[0].doubt, "if the problem stays the same on more ranks"), "%s",
                  r->causes[0].doubt);
    ck_assert_double_gt(r->causes[0].gain_core_s, 0.05 * r->runs[1].account.base_core_s);
    ck_assert_ptr_nonnull(told);
    ck_assert_msg(strstr(told, "If the problem stays the same, the time at model.c:"), "%s", told);
    ck_assert_msg(strstr(told, "If the problem grows with the ranks, this time is as expected"),
                  "%s", told);
    ck_assert_msg(strstr(told, "--work"), "%s", told);
    program_finish(&p, &v);
}
END_TEST

/* What each rank does once, to set up its memory, grows with the ranks and hides that the little it
 * does in each step is divided. */
START_TEST(a_set_up_that_hides_the_steps_is_no_growing_problem)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8];
    program_fill(extra, 8, 0);
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, _i ? 0.1 : 0.2 / n);
        uint32_t run = program_run(&p, n, work, extra), site = model_site(p.model, run, p.sum);
        for (uint32_t r = 0; r < n; r++) {
            model_work(p.model, run, r, 0, site, 1, p.body, 2);
            model_calls(p.model, run, r, site, PROGRAM_STEPS, 0, 0);
        }
    }
    const struct sca_report *r = program_judge(&p, &v);
    const char *told = note(r, OPEN);
    ck_assert_int_eq(r->scaling_open, !_i);
    ck_assert_int_eq(told != NULL, !_i);
    ck_assert_uint_eq(count_growth(r), 0);
    if (told)
        ck_assert_msg(strstr(told, "of its iterations as P^0.0"), "%s", told);
    program_finish(&p, &v);
}
END_TEST

START_TEST(what_holds_in_both_readings_is_a_cause)
{
    struct program p = make(three, between, growing, 1, NULL);
    expect(&p, "strong", true, 1);
}
END_TEST

/* The text's first line says it, and does not claim a mode. */
START_TEST(an_imbalance_is_one_in_both_readings)
{
    struct program p = make(three, between, little, 3, NULL);
    struct sca_verdict v;
    const struct sca_report *r = program_judge(&p, &v);
    char text[SCA_PHRASE];
    ck_assert(r->scaling_open);
    ck_assert_uint_ge(r->ncauses, 1);
    ck_assert_str_eq(r->causes[0].category, "imbalance");
    ck_assert_str_eq(sca_phrase_scaling(text, r), "scaling mode uncertain");
    program_finish(&p, &v);
}
END_TEST

/* ---- told ---- */

static struct sca_report *judge_told(struct program *p, struct sca_verdict *v)
{
    struct sca_report *r = program_judge(p, v);
    ck_assert(!r->scaling_open);
    ck_assert_ptr_null(note(r, "Scaling mode uncertain"));
    return r;
}

/* Computation that goes with the work is as it should be, and nothing of it is lost. */
START_TEST(told_work_decides)
{
    static const double root[] = {1.41421, 2, 2.82843}, as_ranks[] = {2, 4, 8};
    struct sca_verdict v;
    struct program p = make(three, between, none, 1, root);
    const struct sca_report *r = judge_told(&p, &v);
    ck_assert_uint_eq(r->ncauses, 0);
    ck_assert_double_eq_tol(r->efficiency[2].computation, 1, 0.01);
    ck_assert_double_eq_tol(r->runs[2].account.extra_core_s, 0, 0.01);
    ck_assert_double_eq_tol(r->runs[1].account.extra_core_s, 0, 0.01);
    program_finish(&p, &v);
    p = make(three, constant, little, 1, as_ranks);
    r = judge_told(&p, &v);
    ck_assert_uint_eq(r->ncauses, 0);
    ck_assert_str_eq(r->scaling_mode, "weak");
    program_finish(&p, &v);
}
END_TEST

/* The same seconds for the same problem: each rank does all of it. */
START_TEST(told_work_finds_what_is_not_divided)
{
    static const double same[] = {5, 5, 5};
    struct sca_verdict v;
    struct program p = make(three, constant, none, 1, same);
    const struct sca_report *r = judge_told(&p, &v);
    char text[SCA_PHRASE];
    ck_assert_str_eq(r->scaling_mode, "strong");
    ck_assert_uint_eq(count_growth(r), 1);
    ck_assert_double_eq_tol(r->causes[0].cost_core_s, 6, 0.05); /* 8 s, where two ranks need 2 */
    ck_assert_double_eq_tol(r->runs[2].account.extra_core_s, 6, 0.05);
    ck_assert_str_eq(sca_phrase_scaling(text, r), "work 5, 5 and 5");
    program_finish(&p, &v);
}
END_TEST

/* Seconds of the largest run, as they are; the slope is that of time per rank. */
START_TEST(growth_beyond_told_work_is_told_in_its_own_seconds)
{
    static const double as_ranks[] = {2, 4, 8};
    struct sca_verdict v;
    struct program p = make(three, constant, growing, 1, as_ranks);
    const struct sca_report *r = judge_told(&p, &v);
    ck_assert_uint_eq(count_growth(r), 1);
    const struct sca_report_nonscalable *g = r->nonscalable;
    while (g->vertex != p.extra)
        g++;
    ck_assert_uint_eq(r->causes[0].vertex, p.extra);
    ck_assert_double_eq_tol(r->causes[0].cost_core_s, 8 * 4 - 8 * 1, 0.2);
    ck_assert_double_eq_tol(g->slope, 1, 0.02);
    ck_assert_double_eq_tol(g->expected_slope, 0, 0.02);
    program_finish(&p, &v);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("readings");
    TCase *tests = tcase_create("scaling");
    tcase_add_test(tests, clear_ones_are_decided);
    tcase_add_test(tests, a_plant_does_not_flip_the_mode);
    tcase_add_test(tests, where_a_plant_hides_all_it_is_open);
    tcase_add_test(tests, few_with_less_do_not_hide_that_the_sum_stays);
    tcase_add_test(tests, what_fits_neither_is_left_open);
    tcase_add_loop_test(tests, a_set_up_that_hides_the_steps_is_no_growing_problem, 0, 2);
    tcase_add_test(tests, what_holds_in_both_readings_is_a_cause);
    tcase_add_test(tests, an_imbalance_is_one_in_both_readings);
    tcase_add_test(tests, told_work_decides);
    tcase_add_test(tests, told_work_finds_what_is_not_divided);
    tcase_add_test(tests, growth_beyond_told_work_is_told_in_its_own_seconds);
    suite_add_tcase(suite, tests);
    return suite;
}
