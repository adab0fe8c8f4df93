/* Strong or weak scaling, of simulated programs whose problem stays the same, grows with the ranks,
 * or grows more slowly than they do, with and without a rank that repeats a loop. */
#include "sim_profile.h"
#include "report/verdict.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORK, OTHER, REDUCE, STEPS = 120, RUNS = 3 };

static const struct sim_place places[] = {{"", 10}, {"", 20}, {"MPI_Allreduce", 30}};

/* The problem grows as the ranks to this power. */
static double grows;
static double told[RUNS];        /* problem size of each run; 0: nobody tells it */
static uint32_t cores;           /* of each run; 0: one for each rank */
static enum sca_scaling reading; /* that is asked for */

/* Two loops; with the defect, the last rank goes round the first one two and a half times as often.
 */
static void step(struct sim *s)
{
    double share = pow(s->ranks, grows - 1);
    bool planted = s->defect && s->rank == s->ranks - 1;
    sim_compute(s, WORK, 20e-3 * share * (planted ? 2.5 : 1));
    sim_compute(s, OTHER, 20e-3 * share);
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* One loop is divided, though not as it might be; the other one is as long on any ranks. */
static void step_half(struct sim *s)
{
    sim_compute(s, WORK, 20e-3 * pow(s->ranks, -0.7));
    sim_compute(s, OTHER, 10e-3);
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* A search through a list: the higher the rank, the longer; the rest is divided. */
static void step_search(struct sim *s)
{
    sim_compute(s, WORK, 2e-3 * (s->rank + 1));
    sim_compute(s, OTHER, 16e-3 / s->ranks);
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* The rows of a triangle in blocks: the higher the rank, the longer they are; and nothing else. */
static void step_triangle(struct sim *s)
{
    double all = s->ranks * (s->ranks + 1) / 2.0;
    sim_compute(s, WORK, 60e-3 * (s->rank + 1) / all);
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

struct trace {
    struct sim *runs[RUNS];
    uint32_t nruns;
    struct sim_graph *graph;
    struct sca_verdict verdict;
};

static const uint32_t one_and_eight[] = {1, 8, 0}, doubled[] = {2, 4, 8, 0},
                      many[] = {16, 64, 256, 0};
static const uint32_t *const all_sizes[] = {one_and_eight, doubled, many};

static struct sca_report *judge(struct trace *trace, void (*body)(struct sim *),
                                const uint32_t *sizes, bool defect)
{
    const struct sca_settings settings = {.abnorm_thd = 1.3,
                                          .min_share = 0.01,
                                          .fail_above = -1,
                                          .max_loop_depth = 10,
                                          .scaling = reading};
    struct sim_program program = {.places = places, .nplaces = 3, .steps = STEPS, .step = body};
    *trace = (struct trace){0};
    for (; sizes[trace->nruns]; trace->nruns++)
        trace->runs[trace->nruns] =
            sim_run(&program, (struct sim_options){.ranks = sizes[trace->nruns],
                                                   .cores = cores,
                                                   .noise = 0.02,
                                                   .seed = 7 + trace->nruns,
                                                   .defect = defect});
    trace->graph = sim_graph(trace->runs, trace->nruns);
    for (uint32_t i = 0; i < trace->nruns; i++)
        trace->graph->ppg.runs[i].work = told[i];
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

static uint32_t count_causes(const struct sca_report *r, const char *category)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->ncauses; i++)
        n += !strcmp(r->causes[i].category, category);
    return n;
}

static uint32_t count_notes(const struct sca_report *r, const char *words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->nnotes; i++)
        n += strstr(r->notes[i], words) != NULL;
    return n;
}

/* With the defect, the one cause is the rank that has more: no growth in either case. */
static void check_clear(double power, const char *mode, const uint32_t *sizes, bool defect)
{
    struct trace trace;
    grows = power;
    const struct sca_report *r = judge(&trace, step, sizes, defect);
    ck_assert_str_eq(r->scaling_mode, mode);
    ck_assert(!r->scaling_open);
    ck_assert_uint_eq(count_causes(r, "nonscalable"), 0);
    ck_assert_uint_eq(count_causes(r, "imbalance"), defect);
    ck_assert_uint_eq(r->ncauses, defect);
    tear_down(&trace);
}

START_TEST(a_growing_problem_is_weak)
{
    check_clear(1, "weak", all_sizes[_i], false);
    check_clear(1, "weak", all_sizes[_i], true);
}
END_TEST

START_TEST(a_divided_problem_is_strong)
{
    check_clear(0, "strong", all_sizes[_i], false);
    check_clear(0, "strong", all_sizes[_i], true);
}
END_TEST

/* A problem that grows more slowly than the ranks: causes are those of both readings. */
START_TEST(one_in_between_is_open)
{
    struct trace trace;
    grows = 0.65;
    for (int defect = 0; defect < 2; defect++) {
        const struct sca_report *r = judge(&trace, step, all_sizes[_i], defect);
        ck_assert(r->scaling_open);
        ck_assert_uint_eq(count_causes(r, "imbalance"), (uint32_t)defect);
        ck_assert_uint_eq(r->ncauses, (uint32_t)defect);
        ck_assert_uint_eq(count_notes(r, "Scaling mode uncertain: total computation"), 1);
        tear_down(&trace);
    }
}
END_TEST

START_TEST(growth_of_one_reading_is_a_note)
{
    struct trace trace;
    const struct sca_report *r = judge(&trace, step_half, all_sizes[_i], false);
    ck_assert(r->scaling_open);
    ck_assert_uint_eq(r->ncauses, 0);
    ck_assert_uint_eq(count_notes(r, "If the problem stays the same, the time at"), 1);
    ck_assert_uint_eq(
        count_notes(r, "If the problem grows with the ranks, this time is as expected"), 1);
    tear_down(&trace);
}
END_TEST

/* The same runs, of a problem that is told to grow as it does, or to stay the same. */
START_TEST(told_work_decides)
{
    struct trace trace;
    const uint32_t *sizes = all_sizes[_i];
    grows = 0.65;
    for (uint32_t i = 0; sizes[i]; i++)
        told[i] = 1000 * pow(sizes[i], grows);
    const struct sca_report *r = judge(&trace, step, sizes, false);
    ck_assert(!r->scaling_open);
    ck_assert_uint_eq(r->ncauses, 0);
    ck_assert_double_eq_tol(r->efficiency[r->nefficiency - 1].computation, 1, 0.05);
    tear_down(&trace);
    for (uint32_t i = 0; sizes[i]; i++)
        told[i] = 1000;
    r = judge(&trace, step, sizes, false);
    ck_assert(!r->scaling_open);
    ck_assert_str_eq(r->scaling_mode, "strong");
    ck_assert_uint_ge(count_causes(r, "nonscalable"), 1);
    tear_down(&trace);
    memset(told, 0, sizeof told);
}
END_TEST

/* The same search: in a problem that stays the same it grows, in one that grows with the ranks the
 * last ranks have too much of it. Nothing that shares cores makes a rank twice as long. */
START_TEST(an_uneven_search_is_told_in_each_reading)
{
    static const enum sca_scaling readings[] = {SCA_SCALING_STRONG, SCA_SCALING_WEAK};
    static const char *const categories[] = {"nonscalable", "imbalance"};
    struct trace trace;
    cores = _i ? 2 : 0;
    for (int i = 0; i < 2; i++) {
        reading = readings[i];
        const struct sca_report *r = judge(&trace, step_search, doubled, false);
        ck_assert_uint_eq(r->ncauses, 1);
        ck_assert_str_eq(r->causes[0].category, categories[i]);
        ck_assert_uint_eq(r->vertices[r->causes[0].vertex].line, places[WORK].line);
        ck_assert_uint_eq(r->causes[0].ranks[r->causes[0].nranks - 1], 7);
        tear_down(&trace);
    }
    cores = 0;
    reading = SCA_SCALING_AUTO;
}
END_TEST

/* No other work tells how fast the cores are, but no core is that slow. */
START_TEST(work_that_is_all_uneven_is_told)
{
    struct trace trace;
    cores = _i ? 2 : 0;
    const struct sca_report *r = judge(&trace, step_triangle, doubled, false);
    ck_assert_uint_eq(r->ncauses, 1);
    ck_assert_str_eq(r->causes[0].category, "imbalance");
    ck_assert_uint_eq(r->vertices[r->causes[0].vertex].line, places[WORK].line);
    ck_assert_uint_eq(r->causes[0].ranks[r->causes[0].nranks - 1], 7);
    tear_down(&trace);
    cores = 0;
}
END_TEST

Suite *test_suite(void)
{
    enum { SIZES = sizeof all_sizes / sizeof *all_sizes, FEW = 2 };
    Suite *suite = suite_create("readings");
    TCase *tests = tcase_create("sizes");
    tcase_add_loop_test(tests, a_growing_problem_is_weak, 0, SIZES);
    tcase_add_loop_test(tests, a_divided_problem_is_strong, 0, SIZES);
    tcase_add_loop_test(tests, one_in_between_is_open, 0, SIZES);
    tcase_add_loop_test(tests, growth_of_one_reading_is_a_note, 0, FEW);
    tcase_add_loop_test(tests, told_work_decides, 0, SIZES);
    tcase_add_loop_test(tests, an_uneven_search_is_told_in_each_reading, 0, 2);
    tcase_add_loop_test(tests, work_that_is_all_uneven_is_told, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
