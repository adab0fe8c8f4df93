/* Which ranks belong to those that a place is abnormal on: by samples, by exact times, by both. */
#include "synthetic_ppg.h"
#include "verdict.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100 };

static const struct sca_settings usual = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

/* A program that computes, does something of its own, and reduces, a hundred times. */
struct program {
    struct model *model;
    uint32_t step, work, branch, extra, body, sum;
};

static struct program new_program(void)
{
    struct program p = {.model = model_new()};
    p.step = model_vertex(p.model, 0, SCA_LOOP, "", "main", 10);
    p.work = model_vertex(p.model, p.step, SCA_LOOP, "", "main", 12);
    p.branch = model_vertex(p.model, p.step, SCA_BRANCH, "", "main", 20);
    p.extra = model_vertex(p.model, p.branch, SCA_LOOP, "", "main", 21);
    p.body = model_vertex(p.model, p.extra, SCA_COMP, "", "main", 22);
    p.sum = model_vertex(p.model, p.step, SCA_MPI, "MPI_Allreduce", "main", 30);
    return p;
}

/* One run: work and extra seconds of each rank, over all steps. */
static uint32_t add_run(struct program *p, uint32_t nranks, const double *work, const double *extra)
{
    uint32_t run = model_run(p->model, nranks), site = model_site(p->model, run, p->sum);
    for (uint32_t r = 0; r < nranks; r++) {
        model_work(p->model, run, r, 0, site, 1, p->work, work[r] / STEPS);
        model_work(p->model, run, r, site, site, STEPS - 1, p->work, work[r] * (STEPS - 1) / STEPS);
        if (extra[r] > 0)
            model_work(p->model, run, r, site, site, STEPS - 1, p->body, extra[r]);
        model_collective(p->model, run, r, site, -1, STEPS);
    }
    return run;
}

static struct sca_report *judge(struct program *p, struct sca_verdict *verdict)
{
    ck_assert_int_eq(sca_verdict_find(model_ppg(p->model), &usual, verdict), 0);
    return verdict->report;
}

static void finish(struct program *p, struct sca_verdict *verdict)
{
    sca_verdict_free(verdict);
    model_free(p->model);
}

static void fill(double *x, uint32_t n, double value)
{
    for (uint32_t i = 0; i < n; i++)
        x[i] = value;
}

/* Rank 5 needs as long as the two others between the same calls. Of its five samples one and a half
 * fell on the loop: too few to prove anything. */
START_TEST(exact_times_name_a_rank_that_was_hardly_sampled)
{
    struct program p = new_program();
    struct sca_verdict v;
    double work[8], extra[8] = {0};
    fill(work, 8, 1);
    extra[2] = extra[3] = 0.5;
    work[5] = 1.1;
    extra[5] = 0.4;
    model_rare(p.model, add_run(&p, 8, work, extra), 5, 3.5);
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_uint_eq(c->vertex, p.extra);
    ck_assert_uint_eq(c->nranks, 3);
    ck_assert_uint_eq(c->ranks[0], 2);
    ck_assert_uint_eq(c->ranks[1], 3);
    ck_assert_uint_eq(c->ranks[2], 5);
    ck_assert_double_ge(c->gain_core_s, 8 * 0.35);
    finish(&p, &v);
}
END_TEST

/* Half of the ranks, so that the median of all is half theirs; one of them was sampled `hz` times a
 * second, and the whole interval takes them 1.2 times as long only. */
static void find_the_odd_ranks(double hz)
{
    struct program p = new_program();
    struct sca_verdict v;
    double work[8], extra[8];
    fill(work, 8, 0.6);
    for (int r = 0; r < 8; r++)
        extra[r] = r % 2 ? 0.15 : 0.02;
    model_rare(p.model, add_run(&p, 8, work, extra), 7, hz);
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].vertex, p.extra);
    ck_assert_uint_eq(report->causes[0].nranks, 4);
    ck_assert_uint_eq(report->causes[0].ranks[3], 7);
    ck_assert_double_ge(report->causes[0].gain_core_s, 8 * 0.12);
    finish(&p, &v);
}

START_TEST(samples_are_compared_with_normal_ranks)
{
    find_the_odd_ranks(100);
}
END_TEST

START_TEST(samples_and_exact_times_prove_together)
{
    find_the_odd_ranks(25);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("members");
    TCase *tcase = tcase_create("members");
    tcase_add_test(tcase, exact_times_name_a_rank_that_was_hardly_sampled);
    tcase_add_test(tcase, samples_are_compared_with_normal_ranks);
    tcase_add_test(tcase, samples_and_exact_times_prove_together);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
