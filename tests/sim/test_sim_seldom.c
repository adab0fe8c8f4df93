/* What one rank does for all in few steps of a run, computing half of the time and off its core for
 * the other half: it comes again each time, so one run tells it, and others do not deny it. */
#include "sim_profile.h"
#include "report/verdict.h"
#include "check_main.h"

#include <string.h>

enum { WORK, FORMAT, GATHER, BCAST, STEPS = 100, EVERY = 25, RUNS = 3 };

static const struct sim_place places[] = {
    {"", 10}, {"", 20}, {"MPI_Gather", 30}, {"MPI_Bcast", 40}};

static double asleep; /* seconds */
static bool once;     /* the first time only */

/* The field is divided, and rank 0 writes all of it; with new buffers the first time. */
static void step(struct sim *s)
{
    bool first = s->step == EVERY - 1;
    sim_compute(s, WORK, 40e-3 / s->ranks);
    if (s->defect && s->step % EVERY == EVERY - 1) {
        sim_collective(s, GATHER, SIM_TO_ROOT, 0);
        if (s->rank == 0) {
            sim_compute(s, FORMAT, first ? 34e-3 : 26e-3);
            sim_stall(s, first || !once ? asleep : 0);
        }
    }
    sim_collective(s, BCAST, SIM_FROM_ROOT, 0);
}

struct trace {
    struct sim *runs[RUNS];
    uint32_t nruns;
    struct sim_graph *graph;
    struct sca_verdict verdict;
};

/* Of runs on two cores; sizes end with 0. */
static struct sca_report *judge(struct trace *trace, const uint32_t *sizes)
{
    const struct sca_settings settings = {
        .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};
    static const struct sim_program program = {places, 4, STEPS, step};
    *trace = (struct trace){0};
    for (; sizes[trace->nruns]; trace->nruns++)
        trace->runs[trace->nruns] =
            sim_run(&program, (struct sim_options){.ranks = sizes[trace->nruns],
                                                   .cores = 2,
                                                   .noise = 0.02,
                                                   .seed = 3,
                                                   .defect = true});
    trace->graph = sim_graph(trace->runs, trace->nruns);
    ck_assert_int_eq(sca_verdict_find(&trace->graph->ppg, &settings, &trace->verdict), 0);
    return trace->verdict.report;
}

static void tear_down(struct trace *trace)
{
    sca_verdict_free(&trace->verdict);
    sim_graph_free(trace->graph);
    for (uint32_t i = 0; i < trace->nruns; i++)
        sim_free(trace->runs[i]);
}

static const uint32_t sizes[][RUNS + 1] = {{8}, {2, 8}, {4, 8}, {2, 4, 8}, {4, 16}};

/* The longest instance takes more than half as long as all are asleep, but it is asleep for a
 * quarter of that. */
START_TEST(what_comes_each_time_is_a_cause)
{
    struct trace trace;
    asleep = 30e-3;
    once = false;
    const struct sca_report *r = judge(&trace, sizes[_i]);
    ck_assert_uint_eq(r->ncauses, 1);
    const struct sca_report_cause *c = &r->causes[0];
    ck_assert_str_eq(c->category, "serial");
    ck_assert_uint_eq(r->vertices[c->vertex].line, places[FORMAT].line);
    ck_assert_uint_eq(c->nranks, 1);
    ck_assert_uint_eq(c->ranks[0], 0);
    uint32_t ranks = trace.runs[trace.nruns - 1]->ranks;
    double truth = (34e-3 + 3 * 26e-3 + 4 * asleep) * ranks;
    ck_assert_double_eq_tol(c->gain_core_s, truth, 0.15 * truth);
    tear_down(&trace);
}
END_TEST

/* As long a sleep, but all at once, is told in a note. */
START_TEST(what_was_off_the_core_once_is_none)
{
    struct trace trace;
    asleep = 0.5;
    once = true;
    const struct sca_report *r = judge(&trace, sizes[0]);
    bool told = false;
    ck_assert_uint_eq(r->ncauses, 0);
    for (uint32_t i = 0; i < r->nnotes; i++)
        told |= !strncmp(r->notes[i], "Rank 0 was off the core for", 27);
    ck_assert(told);
    tear_down(&trace);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("seldom");
    TCase *tests = tcase_create("seldom");
    tcase_add_loop_test(tests, what_comes_each_time_is_a_cause, 0, sizeof sizes / sizeof *sizes);
    tcase_add_test(tests, what_was_off_the_core_once_is_none);
    suite_add_tcase(suite, tests);
    return suite;
}
