/* Metrics: sums over contexts, values of ranks, and the pane that chooses one. */
#include "view.h"
#include "metrics.h"
#include "sample_report.h"
#include "suite.h"

#include <math.h>
#include <string.h>

enum { RANKS = 8, COMPUTATION = 0, WAITING = 1, COUNTER = 3, RATIO = 4, PLACE = 4, WAIT = 7 };

/* What sca_sample_cg() has at PLACE, and the same on all ranks beside it. */
static const double each[RANKS] = {1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875};
static const double beside = 0.5;

static struct sca_report *report;
static struct sca_sources sources;
static struct sca_view view;
static struct sca_lines screen;

static double sum(void)
{
    double all = 0;
    for (int i = 0; i < RANKS; i++)
        all += each[i];
    return all;
}

START_TEST(sums_are_of_a_vertex_or_of_all_below_it)
{
    report = sca_sample_cg("/nowhere/cg.c");
    double all = sum() + RANKS * beside;
    ck_assert_double_eq_tol(sca_metric_sum(report, COMPUTATION, PLACE, false), sum(), 1e-12);
    ck_assert_double_eq_tol(sca_metric_sum(report, COMPUTATION, 0, true), all, 1e-12);
    ck_assert_double_eq(sca_metric_sum(report, COMPUTATION, 0, false), 0);
    ck_assert_double_eq_tol(sca_metric_sum(report, COMPUTATION, SCA_NO_VERTEX, true), all, 1e-12);
    ck_assert(isnan(sca_metric_sum(report, COUNTER, 0, true)));
    ck_assert(isnan(sca_metric_sum(report, RATIO, 0, true)));
    sca_report_free(report);
}
END_TEST

START_TEST(ranks_are_added_up_and_what_is_unknown_is_counted)
{
    double values[RANKS];
    report = sca_sample_cg("/nowhere/cg.c");
    ck_assert_uint_eq(sca_metric_ranks(report, COMPUTATION, PLACE, true, values), 0);
    for (int i = 0; i < RANKS; i++)
        ck_assert_double_eq_tol(values[i], each[i], 1e-12);
    report->metrics[COMPUTATION].rows[0].complete = false;
    ck_assert_uint_eq(sca_metric_ranks(report, COMPUTATION, PLACE, true, values), 1);
    ck_assert_uint_eq(sca_metric_ranks(report, COMPUTATION, 0, true, values), 0); /* by_rank */
    for (int i = 0; i < RANKS; i++)
        ck_assert_double_eq_tol(values[i], each[i] + beside, 1e-12);
    ck_assert_uint_eq(sca_metric_ranks(report, WAITING, WAIT, false, values), 0);
    ck_assert_double_eq(values[4], 2.5);
    ck_assert_double_eq(values[5], 0);
    sca_report_free(report);
}
END_TEST

START_TEST(a_table_has_every_vertex_and_ratios_divide_sums)
{
    struct sca_metric_table table = {.metric = SCA_NO_METRIC};
    report = sca_sample_cg("/nowhere/cg.c");
    report->metrics[RATIO].absent = "";
    report->metrics[RATIO].of = WAITING;
    ck_assert_int_eq(sca_metric_table_choose(&table, report, COMPUTATION), 0);
    for (uint32_t v = 0; v < report->nvertices; v++) {
        ck_assert_double_eq_tol(table.own[v], sca_metric_sum(report, COMPUTATION, v, false), 1e-12);
        ck_assert_double_eq_tol(table.below[v], sca_metric_sum(report, COMPUTATION, v, true),
                                1e-12);
    }
    ck_assert_int_eq(sca_metric_table_choose(&table, report, RATIO), 0);
    ck_assert_double_eq_tol(table.below[0], 2.5 / (sum() + RANKS * beside), 1e-12);
    ck_assert(isnan(table.own[0]));
    sca_metric_table_close(&table);
    sca_report_free(report);
}
END_TEST

START_TEST(values_are_short)
{
    static const struct {
        double value;
        const char *unit, *text;
    } cases[] = {{1.234, "s", "1.23 s"},
                 {NAN, "events", "n/a"},
                 {537600, "messages", "537.6 k"},
                 {4.4042e9, "bytes", "4.404 G"},
                 {0, "bytes", "0"},
                 {1999, "samples", "1999"},
                 {-0.5, "s", "-500 ms"},
                 {1e300, "events", "1e+288 T"}};
    char text[24];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(sca_label_metric(cases[i].value, cases[i].unit, text), cases[i].text);
}
END_TEST

/* ---- on the screen ---- */

static void press(int key)
{
    sca_view_key(&view, key);
    sca_view_draw(&view, &screen);
}

static void start(struct sca_report *sample)
{
    sca_text_setup(true);
    report = sample;
    ck_assert_int_eq(sca_view_open(&view, report, &sources), 0);
    sca_view_resize(&view, 40, 80);
    press('6');
}

static void stop(void)
{
    sca_view_close(&view);
    sca_source_close(&sources);
    sca_lines_free(&screen);
    sca_report_free(report);
}

static bool shows(const char *text)
{
    for (size_t i = 0; i < screen.count; i++)
        if (strstr(screen.line[i].text, text))
            return true;
    return false;
}

START_TEST(the_pane_lists_them_and_says_why_there_is_none)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    ck_assert(
        shows(" Computation                 11.5 s    11.5 s   74.2 %    1.00 s    1.88 s     7"));
    ck_assert(shows("   Late sender                  0 s"));
    ck_assert(shows(" PAPI_FP_OPS                    n/a  no counter"));
    stop();
    report = sca_sample_cg("/nowhere/cg.c");
    report->nmetrics = 0;
    start(report);
    ck_assert(shows("no metrics: an older release wrote it"));
    press('w');
    press(SCA_KEY_ENTER);
    stop();
}
END_TEST

/* Each pane that needs a younger field says so, in a line. */
START_TEST(what_an_older_report_lacks_is_said)
{
    report = sca_sample_cg("/nowhere/cg.c");
    report->nefficiency = 0;
    for (uint32_t i = 0; i < report->nruns; i++)
        report->runs[i].account = (struct sca_report_account){0};
    for (uint32_t v = 0; v < report->nvertices; v++)
        report->vertices[v].nranks = report->vertices[v].nruns = 0;
    start(report);
    press('5');
    ck_assert(shows("has no account of core-seconds: an older release wrote it"));
    ck_assert(shows("has no efficiencies: an older release wrote it"));
    press('3');
    ck_assert(shows("no time per rank for this vertex"));
    press('4');
    ck_assert(shows("no time per run for this vertex"));
    stop();
}
END_TEST

START_TEST(the_chosen_one_is_in_the_tree_and_the_ranks)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    press('w');
    press(SCA_KEY_ENTER);
    ck_assert(shows("Tree (v) and ranks (3) show Computation"));
    press('3');
    ck_assert(shows("Computation of each rank: least 1.00 s, median 1.44 s, most 1.88 s (rank 7)"));
    press('v');
    press(SCA_KEY_HOME);
    ck_assert(shows("vertex, by Computation; open: alone"));
    press('-');
    ck_assert(shows("15.5 s 100.0 %"));
    press('+');
    ck_assert(shows("0 s   0.0 %"));
    press('6');
    press('w');
    press(SCA_KEY_ENTER);
    ck_assert(shows("Tree (v) and ranks (3) show time"));
    ck_assert(shows("core-time imbal."));
    stop();
}
END_TEST

START_TEST(the_tree_sorts_by_the_chosen_one)
{
    uint32_t order[64];
    struct sca_model model;
    sca_text_setup(true);
    report = sca_sample_cg("/nowhere/cg.c");
    ck_assert_uint_le(report->nvertices, 64);
    ck_assert_int_eq(sca_model_open(&model, report), 0);
    ck_assert_int_eq(sca_metric_table_choose(&model.metric, report, WAITING), 0);
    sca_model_order_vertices(&model, SCA_BY_TIME, order);
    for (uint32_t i = 1; i < report->nvertices; i++)
        ck_assert(model.metric.below[order[i - 1]] >= model.metric.below[order[i]]);
    ck_assert_double_eq(model.metric.below[order[0]], 2.5);
    sca_model_close(&model);
    sca_report_free(report);
}
END_TEST

VIEWER_SUITE("viewer_metrics", sums_are_of_a_vertex_or_of_all_below_it,
             ranks_are_added_up_and_what_is_unknown_is_counted,
             a_table_has_every_vertex_and_ratios_divide_sums, values_are_short,
             the_pane_lists_them_and_says_why_there_is_none, what_an_older_report_lacks_is_said,
             the_chosen_one_is_in_the_tree_and_the_ranks, the_tree_sorts_by_the_chosen_one)
