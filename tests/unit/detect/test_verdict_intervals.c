/* What the exact times between MPI calls tell where no sample does: work at the top of main, off
 * the core or not, and whether a short run's problem is divided. */
#include "synthetic_ppg.h"
#include "report/verdict.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100 };

static const struct sca_settings usual = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

static const struct sca_settings forced = {.abnorm_thd = 1.3,
                                           .min_share = 0.01,
                                           .fail_above = -1,
                                           .max_loop_depth = 10,
                                           .scaling = SCA_SCALING_STRONG};

/* main makes two calls, and then a loop of steps with one each. */
struct program {
    struct model *model;
    uint32_t barrier, bcast, step, work, sum;
};

static struct program new_program(void)
{
    struct program p = {.model = model_new()};
    p.barrier = model_vertex(p.model, 0, SCA_MPI, "MPI_Barrier", "main", 10);
    p.bcast = model_vertex(p.model, 0, SCA_MPI, "MPI_Bcast", "main", 20);
    p.step = model_vertex(p.model, 0, SCA_LOOP, "", "main", 30);
    p.work = model_vertex(p.model, p.step, SCA_LOOP, "", "main", 32);
    p.sum = model_vertex(p.model, p.step, SCA_MPI, "MPI_Allreduce", "main", 40);
    return p;
}

/* Rank 0 reads for half a second before the barrier, or between it and the broadcast. */
static void add_run(struct program *p, uint32_t nranks, bool first)
{
    uint32_t run = model_run(p->model, nranks), barrier = model_site(p->model, run, p->barrier);
    uint32_t bcast = model_site(p->model, run, p->bcast), sum = model_site(p->model, run, p->sum);
    for (uint32_t r = 0; r < nranks; r++) {
        double reads = r ? 1e-4 : 0.5;
        model_work(p->model, run, r, 0, barrier, 1, 0, first ? reads : 1e-4);
        model_work(p->model, run, r, barrier, bcast, 1, 0, first ? 1e-4 : reads);
        model_work(p->model, run, r, bcast, sum, 1, p->work, 0.01);
        model_work(p->model, run, r, sum, sum, STEPS - 1, p->work, 0.01 * (STEPS - 1));
        model_collective(p->model, run, r, barrier, -1, 1);
        model_collective(p->model, run, r, bcast, 0, 1);
        model_collective(p->model, run, r, sum, -1, STEPS);
    }
}

static void check_reading(const struct program *p, const struct sca_report *report, bool first)
{
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_str_eq(report->vertices[c->vertex].kind, "root");
    ck_assert(c->between);
    ck_assert_uint_eq(c->after, first ? 0 : p->barrier);
    ck_assert_uint_eq(c->before, first ? p->barrier : p->bcast);
    ck_assert_uint_eq(c->nranks, 1);
    ck_assert_uint_eq(c->ranks[0], 0);
    ck_assert_str_eq(c->category, "serial");
    ck_assert_double_eq_tol(c->gain_core_s, 8 * 0.5, 0.01);
    ck_assert_double_eq_tol(c->cost_core_s, 7 * 0.5, 0.01);
}

/* All that a run's ranks took between calls they were off their cores. */
static void block(const struct sca_ppg *ppg, uint32_t run)
{
    const struct sca_profile *profile = ppg->runs[run].profile;
    for (uint32_t r = 0; r < profile->nranks; r++)
        for (uint32_t i = 0; i < profile->ranks[r].nintervals; i++) {
            struct sca_part_interval *x =
                (struct sca_part_interval *)&profile->ranks[r].intervals[i];
            x->blocked_ns = x->cpu_ns;
            x->cpu_ns = 0;
        }
    size_t cells = (size_t)ppg->nvertices * profile->nranks;
    memcpy(ppg->runs[run].blocked, ppg->runs[run].comp, cells * sizeof(double));
}

/* Off the core in both runs: it reads. */
START_TEST(work_at_the_top_of_main_is_found)
{
    struct program p = new_program();
    struct sca_verdict v;
    add_run(&p, 4, _i);
    add_run(&p, 8, _i);
    const struct sca_ppg *ppg = model_ppg(p.model);
    block(ppg, 0);
    block(ppg, 1);
    ck_assert_int_eq(sca_verdict_find(ppg, &usual, &v), 0);
    check_reading(&p, v.report, _i);
    sca_verdict_free(&v);
    model_free(p.model);
}
END_TEST

/* Of what rank 0 does between barrier and broadcast it formats for 55 ms, and waits for the file
 * for 120: few samples, but all of them in the one loop. */
static void add_writing(struct program *p, uint32_t nranks, uint32_t format)
{
    uint32_t run = model_run(p->model, nranks), barrier = model_site(p->model, run, p->barrier);
    uint32_t bcast = model_site(p->model, run, p->bcast), sum = model_site(p->model, run, p->sum);
    model_rare(p->model, run, 0, 60);
    for (uint32_t r = 0; r < nranks; r++) {
        model_work(p->model, run, r, 0, barrier, 1, 0, 1e-4);
        model_work(p->model, run, r, barrier, bcast, 1, 0, r ? 1e-5 : 0.12);
        model_work(p->model, run, r, barrier, bcast, 1, format, r ? 0 : 0.055);
        model_work(p->model, run, r, bcast, sum, 1, p->work, 0.01);
        model_work(p->model, run, r, sum, sum, STEPS - 1, p->work, 0.01 * (STEPS - 1));
        model_collective(p->model, run, r, barrier, -1, 1);
        model_collective(p->model, run, r, bcast, 0, 1);
        model_collective(p->model, run, r, sum, -1, STEPS);
    }
}

static void block_writer(const struct sca_profile *profile, uint64_t ns)
{
    for (uint32_t i = 0; i < profile->ranks[0].nintervals; i++) {
        struct sca_part_interval *x = &profile->ranks[0].intervals[i];
        if (x->cpu_ns > ns && x->count == 1) {
            x->blocked_ns = ns;
            x->cpu_ns -= ns;
        }
    }
}

START_TEST(a_line_is_told_beside_time_off_the_core)
{
    struct program p = new_program();
    struct sca_verdict v;
    uint32_t format = model_vertex(p.model, 0, SCA_LOOP, "", "main", 15);
    add_writing(&p, 4, format);
    add_writing(&p, 8, format);
    const struct sca_ppg *ppg = model_ppg(p.model);
    block_writer(ppg->runs[0].profile, 120000000);
    block_writer(ppg->runs[1].profile, 120000000);
    ck_assert_int_eq(sca_verdict_find(ppg, &usual, &v), 0);
    ck_assert_uint_eq(v.report->ncauses, 1);
    ck_assert(v.report->causes[0].between);
    ck_assert_uint_eq(v.report->causes[0].vertex, format);
    sca_verdict_free(&v);
    model_free(p.model);
}
END_TEST

/* Work that is divided in the one interval, and that every rank repeats in the other. */
static void add_short_run(struct program *p, uint32_t nranks, double divided, double repeated)
{
    uint32_t run = model_run(p->model, nranks), bcast = model_site(p->model, run, p->bcast);
    uint32_t sum = model_site(p->model, run, p->sum);
    for (uint32_t r = 0; r < nranks; r++) {
        model_work(p->model, run, r, bcast, sum, STEPS, p->step, divided / nranks);
        model_work(p->model, run, r, sum, bcast, STEPS - 1, p->work, repeated);
        model_work(p->model, run, r, 0, bcast, 1, 0, 1e-6);
        model_collective(p->model, run, r, bcast, 0, STEPS);
        model_collective(p->model, run, r, sum, -1, STEPS);
    }
}

/* Of 190 samples one cannot say which of the work is divided; in sum it more than doubles. */
START_TEST(a_short_run_is_divided_by_its_exact_times)
{
    struct program p = new_program();
    struct sca_verdict v;
    double divided = _i ? 0.12 : 0.06;
    for (uint32_t n = 2; n <= 8; n *= 2)
        add_short_run(&p, n, divided, 0.095 - divided / 2);
    ck_assert_int_eq(sca_verdict_find(model_ppg(p.model), &usual, &v), 0);
    ck_assert_str_eq(v.report->scaling_mode, _i ? "strong" : "weak");
    ck_assert_uint_eq(v.report->ncauses, _i ? 1 : 0);
    if (_i) {
        ck_assert_uint_eq(v.report->causes[0].vertex, p.work);
        ck_assert_str_eq(v.report->causes[0].category, "nonscalable");
    }
    sca_verdict_free(&v);
    model_free(p.model);
}
END_TEST

static uint32_t count_notes(const struct sca_report *report, const char *beginning)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->nnotes; i++)
        count += !strncmp(report->notes[i], beginning, strlen(beginning));
    return count;
}

/* Half of what lies in one interval is divided: so say its samples, too few to rely on. */
START_TEST(a_short_run_that_may_be_divided_is_told)
{
    struct program p = new_program();
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2) {
        uint32_t run = model_run(p.model, n), sum = model_site(p.model, run, p.sum);
        for (uint32_t r = 0; r < n; r++) {
            model_work(p.model, run, r, sum, sum, STEPS - 1, p.step, _i ? 0.09 / n : 0.045);
            model_work(p.model, run, r, sum, sum, STEPS - 1, p.work, 0.045);
            model_collective(p.model, run, r, sum, -1, STEPS);
        }
    }
    ck_assert_int_eq(sca_verdict_find(model_ppg(p.model), &usual, &v), 0);
    ck_assert_str_eq(v.report->scaling_mode, "weak");
    ck_assert_int_eq(v.report->scaling_open, _i);
    ck_assert_uint_eq(count_notes(v.report, "Scaling mode uncertain: total computation"),
                      _i ? 1 : 0);
    sca_verdict_free(&v);
    model_free(p.model);
}
END_TEST

/* Threads of the ranks' own wait for cores that are shared, the longer the more ranks there are:
 * that is the scheduler's doing. What computes on a core and grows as much is the program's. */
START_TEST(waiting_for_a_shared_core_does_not_scale_badly)
{
    struct program p = new_program();
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2) {
        uint32_t run = model_run(p.model, n), sum = model_site(p.model, run, p.sum);
        model_meta(p.model, run, "oversubscribed", "1");
        for (uint32_t r = 0; r < n; r++) {
            model_work(p.model, run, r, sum, sum, STEPS - 1, p.work, 4.0 / n);
            model_work(p.model, run, r, sum, sum, STEPS - 1, p.step, 3.0);
            model_work(p.model, run, r, 0, sum, 1, 0, 1e-6);
            model_collective(p.model, run, r, sum, -1, STEPS);
        }
    }
    const struct sca_ppg *ppg = model_ppg(p.model);
    for (uint32_t i = 0; i < ppg->nruns && _i; i++)
        block(ppg, i);
    ck_assert_int_eq(sca_verdict_find(ppg, &forced, &v), 0);
    ck_assert_uint_eq(v.report->ncauses, _i ? 0 : 1);
    sca_verdict_free(&v);
    model_free(p.model);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("verdict_intervals");
    TCase *tcase = tcase_create("verdict_intervals");
    tcase_add_loop_test(tcase, work_at_the_top_of_main_is_found, 0, 2);
    tcase_add_test(tcase, a_line_is_told_beside_time_off_the_core);
    tcase_add_loop_test(tcase, a_short_run_is_divided_by_its_exact_times, 0, 2);
    tcase_add_loop_test(tcase, a_short_run_that_may_be_divided_is_told, 0, 2);
    tcase_add_loop_test(tcase, waiting_for_a_shared_core_does_not_scale_badly, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
