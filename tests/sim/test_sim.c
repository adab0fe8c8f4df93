/* The detector against simulated programs: the cause, its ranks, its category and what fixing it
 * saves are known exactly, for it can be switched off; from 2 to 1,024 ranks. */
#include "sim_profile.h"
#include "sim_programs.h"
#include "report/verdict.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 0.15

enum { RUNS = 3 };

static const uint32_t sizes[] = {2, 4, 8, 64, 256, 1024};
enum { NSIZES = sizeof sizes / sizeof *sizes };

static const struct sca_settings usual = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

struct trace {
    const struct sim_case *c;
    uint32_t ranks;
    struct sim *runs[RUNS];
    uint32_t nruns;
    struct sim_graph *graph;
    struct sca_verdict verdict;
};

static struct sim *run_case(const struct sim_case *c, uint32_t ranks, bool defect)
{
    struct sim_options options = c->options;
    options.ranks = ranks;
    options.seed = ranks;
    options.defect = defect;
    options.cores = c->shares_cores ? ranks / 4 : 0;
    return sim_run(&c->program, options);
}

/* Runs on a quarter, a half, and all of the ranks. */
static void set_up(struct trace *trace, const struct sim_case *c, uint32_t ranks, bool defect)
{
    *trace = (struct trace){.c = c, .ranks = ranks};
    for (uint32_t n = ranks >= 8 ? ranks / 4 : ranks; n <= ranks; n *= 2)
        trace->runs[trace->nruns++] = run_case(c, n, defect);
    trace->graph = sim_graph(trace->runs, trace->nruns);
    ck_assert_int_eq(sca_verdict_find(&trace->graph->ppg, &usual, &trace->verdict), 0);
}

static void tear_down(struct trace *trace)
{
    sca_verdict_free(&trace->verdict);
    sim_graph_free(trace->graph);
    for (uint32_t i = 0; i < trace->nruns; i++)
        sim_free(trace->runs[i]);
}

static bool is_between(const struct trace *trace, const struct sca_report_cause *cause)
{
    return trace->c->after && cause->between &&
           cause->after == trace->graph->first_place + trace->c->after &&
           cause->before == trace->graph->first_place + trace->c->before &&
           (cause->vertex == trace->graph->first_place + trace->c->cause) == trace->c->at_line;
}

static const struct sca_report_cause *find(const struct trace *trace, uint32_t place)
{
    const struct sca_report *r = trace->verdict.report;
    for (uint32_t i = 0; i < r->ncauses; i++)
        if (is_between(trace, &r->causes[i]) ||
            (!r->causes[i].between && r->causes[i].vertex == trace->graph->first_place + place))
            return &r->causes[i];
    return NULL;
}

/* What the run without the defect, at the same seed, takes less. */
static double true_gain(const struct trace *trace)
{
    struct sim *with = trace->runs[trace->nruns - 1];
    struct sim *without = run_case(trace->c, trace->ranks, false);
    double gain = (sim_seconds(with) - sim_seconds(without)) * trace->ranks;
    sim_free(without);
    return gain;
}

static void check_ranks(const struct trace *trace, const struct sca_report_cause *cause)
{
    uint32_t carrying = 0;
    for (uint32_t r = 0; r < trace->ranks; r++)
        carrying += trace->c->carries(r, trace->ranks);
    ck_assert_msg(cause->nranks == carrying, "%u ranks, the truth is %u", cause->nranks, carrying);
    for (uint32_t i = 0; i < cause->nranks; i++)
        ck_assert_msg(trace->c->carries(cause->ranks[i], trace->ranks), "rank %u", cause->ranks[i]);
}

static void check_gain(const struct trace *trace, double gain)
{
    double truth = true_gain(trace);
    ck_assert_msg(fabs(gain - truth) <= NEAR * truth, "gain %.4f core-s, the truth is %.4f", gain,
                  truth);
}

static double waiting(const struct sim *s)
{
    double computed = 0;
    for (uint32_t r = 0; r < s->ranks; r++)
        for (uint32_t i = 0; i < s->sequences[r].ncalls; i++)
            computed += s->sequences[r].calls[i].interval;
    return sim_seconds(s) * s->ranks - computed;
}

/* What others wait for it: at most all waiting, at least what is waited less when it is switched
 * off. */
static void check_cost(const struct trace *trace, double reported)
{
    struct sim *without = run_case(trace->c, trace->ranks, false);
    double all = waiting(trace->runs[trace->nruns - 1]), least = all - waiting(without);
    sim_free(without);
    ck_assert_msg(reported <= (1 + NEAR) * all && reported >= (1 - NEAR) * least,
                  "cost %.4f core-s, the truth is %.4f to %.4f", reported, least, all);
}

/* The first cause, for a failed assertion. */
static const char *describe(const struct sca_report *report)
{
    static char text[160];
    const struct sca_report_cause *c = report->causes;
    if (!report->ncauses)
        return "none";
    snprintf(text, sizeof text, "line %u, %s on %u ranks, gain %.1f %% (%s scaling)",
             report->vertices[c->vertex].line, c->category, c->nranks, 100 * c->gain_share,
             report->scaling_mode);
    return text;
}

static void judge(const struct trace *trace)
{
    const struct sim_case *c = trace->c;
    const struct sca_report *report = trace->verdict.report;
    const struct sca_report_cause *cause = find(trace, c->cause);
    ck_assert_msg(report->ncauses > 0, "no cause");
    ck_assert_msg(cause == &report->causes[0], "the first cause is %s", describe(report));
    ck_assert_str_eq(cause->category, c->category);
    ck_assert_msg(report->ncauses == (c->second ? 2 : 1), "%u causes", report->ncauses);
    check_ranks(trace, cause);
    double gain = cause->gain_core_s, cost = cause->direct_core_s + cause->indirect_core_s;
    if (c->second) {
        const struct sca_report_cause *second = find(trace, c->second);
        ck_assert_msg(second != NULL, "misses the second cause");
        gain += second->gain_core_s;
        cost += second->direct_core_s + second->indirect_core_s;
    }
    check_gain(trace, gain);
    if (strcmp(c->category, "nonscalable")) { /* undivided work makes nobody wait */
        check_cost(trace, cost);
        double own = cause->direct_core_s + cause->indirect_core_s;
        ck_assert_double_eq_tol(own, cause->cost_core_s, 1e-6 * own);
    }
}

/* Every program on every size, one test each, so that each failure has its name. */
START_TEST(the_cause_is_found)
{
    struct trace trace;
    const struct sim_case *chosen = &sim_cases[_i / (int)NSIZES];
    uint32_t ranks = sizes[_i % (int)NSIZES];
    if (!chosen->category || ranks < chosen->least || ranks > chosen->most)
        return;
    set_up(&trace, chosen, ranks, true);
    judge(&trace);
    tear_down(&trace);
}
END_TEST

/* What a note tells as lost stands with the causes, marked: both say the same. */
static void check_in_list(const struct sca_report *report, uint32_t note)
{
    if (strstr(report->notes[note], "The run lost"))
        ck_assert_msg(sca_report_note_is_told(report, note), "%s", report->notes[note]);
    for (uint32_t i = 0; i < report->nunconfirmed; i++)
        ck_assert(*report->causes[report->ncauses + i].doubt);
}

/* Time that no line is to blame for is told all the same. */
static void check_told(const struct sca_report *report, const char *told)
{
    for (uint32_t i = 0; i < report->nnotes; i++)
        if (!strncmp(report->notes[i], told, strlen(told))) {
            check_in_list(report, i);
            return;
        }
    ck_abort_msg("no note \"%s\", the first is: %s", told, report->nnotes ? report->notes[0] : "");
}

START_TEST(without_it_there_is_none)
{
    struct trace trace;
    const struct sim_case *chosen = &sim_cases[_i / (int)NSIZES];
    uint32_t ranks = sizes[_i % (int)NSIZES];
    if (ranks < chosen->least || ranks > chosen->most)
        return;
    set_up(&trace, chosen, ranks, false);
    const struct sca_report *report = trace.verdict.report;
    ck_assert_msg(report->ncauses == 0, "on %u ranks: %s", ranks, describe(report));
    if (chosen->told)
        check_told(report, chosen->told);
    tear_down(&trace);
}
END_TEST

/* Each program is a case of its own, by its name. */
Suite *test_suite(void)
{
    Suite *suite = suite_create("simulated programs");
    for (uint32_t i = 0; i < sim_ncases; i++) {
        TCase *tests = tcase_create(sim_cases[i].name);
        int first = (int)(i * NSIZES), end = first + (int)NSIZES;
        tcase_add_loop_test(tests, the_cause_is_found, first, end);
        tcase_add_loop_test(tests, without_it_there_is_none, first, end);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
