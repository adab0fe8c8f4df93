/* The panes about time: what they say, and their keys. */
#include "sample_report.h"
#include "shown.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static struct shown shown;

static void start(int rows, int columns)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    sca_text_setup(false);
    sca_sample_add_timelines(report);
    shown_open(&shown, report, rows, columns);
}

static void stop(void)
{
    shown_close(&shown);
}

static void press(const char *keys)
{
    shown_type(&shown, keys);
}

static const char *line_with(const char *text)
{
    return shown_line(&shown, text);
}

/* The first cluster counts, the second could not. */
static void count_events(struct sca_report *report)
{
    static struct sca_report_series_events known = {"PAPI_L2_TCM", 9, 2375, 2600, 2300, 2400},
                                           unknown = {"PAPI_L2_TCM", 0, NAN, NAN, NAN, NAN};
    struct sca_report_series_cluster *clusters = report->series.loops[0].clusters;
    clusters[0].nevents = clusters[1].nevents = 1;
    clusters[0].events = &known;
    clusters[1].events = &unknown;
}

START_TEST(clusters_have_their_events)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    sca_text_setup(false);
    count_events(report);
    shown_open(&shown, report, 60, 80);
    press("9");
    ck_assert_ptr_nonnull(line_with("2375, max rank 2600, PAPI_L2_TCM"));
    ck_assert_ptr_nonnull(line_with("n/a, PAPI_L2_TCM"));
    stop();
}
END_TEST

/* All 12 iterations of the sample are 0.2 s, the 4th, 8th and 12th 0.3 s; from the 9th on the
 * slowest rank takes twice that. */
START_TEST(a_series_is_drawn_and_told)
{
    start(60, 80);
    press("9");
    ck_assert_ptr_nonnull(line_with("Loop 1 of 1: iterations 1 to 12, 8 ranks"));
    ck_assert_ptr_nonnull(line_with("cluster      AAABAAABAAAB"));
    ck_assert_ptr_nonnull(line_with("phase        22222222...."));
    ck_assert_ptr_nonnull(line_with("rank 3: 2x from iteration 9 on (second 4.1)"));
    ck_assert_ptr_nonnull(line_with("  A        9        1   500 ms"));
    ck_assert_ptr_nonnull(line_with("  1        1   6.10 s   2.70 s"));
    ck_assert_ptr_nonnull(line_with("first part"));
    const char *own = line_with("own, slowest");
    ck_assert_str_eq(own + 13, "           # 600 ms");
    stop();
}
END_TEST

START_TEST(keys_move_along_a_series_and_enlarge_it)
{
    start(60, 80);
    press("9wllll");
    ck_assert_ptr_nonnull(line_with("Iteration 5: own 200 ms, slowest 200 ms (rank 0)"));
    press(">>>>");
    ck_assert_ptr_nonnull(line_with("Iteration 12: own 300 ms, slowest 600 ms (rank 3)"));
    press("+");
    ck_assert_ptr_nonnull(line_with("iterations 7 to 12,"));
    press("hhhhhhhh");
    ck_assert_ptr_nonnull(line_with("Iteration 4: own 300 ms, slowest 300 ms (rank 0), in MPI"));
    ck_assert_ptr_nonnull(line_with("iterations 3 to 8,"));
    press("=");
    ck_assert_ptr_nonnull(line_with("iterations 1 to 12,"));
    stop();
}
END_TEST

/* Iterations 9 to 12: 0.9 s of computation for each of 8 ranks; the three of the first cluster have
 * 0.6 s, all in the place that is recorded of it, and each waits 0.1 s in a call. */
START_TEST(a_range_is_what_other_panes_show)
{
    start(60, 80);
    press("9w>>>>r");
    ck_assert_ptr_nonnull(line_with("The range goes from iteration 9"));
    press(">>r");
    ck_assert_ptr_nonnull(line_with("iterations 9-12"));
    ck_assert_double_eq_tol(shown.view.model.range.own_s, 0.9, 1e-9);
    ck_assert_double_eq_tol(shown.view.model.range.unseen_s, 0.3, 1e-9);
    ck_assert_double_eq_tol(shown.view.model.range.load_balance, 0.5, 1e-9);
    ck_assert_double_eq_tol(sca_model_time(&shown.view.model, 2), 8 * (0.6 + 3 * 0.1), 1e-9);
    ck_assert_double_eq_tol(sca_model_time(&shown.view.model, 5), 8 * 3 * 0.1, 1e-9);
    press("5");
    ck_assert_ptr_nonnull(line_with("Iterations 9 to 12 take 2.00 s, second 4.1 to 6.1."));
    press("3");
    ck_assert_ptr_nonnull(line_with("Of the whole run: ranks of a place"));
    press("0");
    ck_assert_ptr_nonnull(line_with("OUTSIDE OF THE RANGE: typical at second 2.5"));
    press("9r");
    ck_assert(!shown.view.model.range.chosen);
    ck_assert_ptr_null(line_with("iterations 9-12"));
    stop();
}
END_TEST

START_TEST(a_click_chooses_an_iteration)
{
    start(60, 80);
    press("9");
    sca_view_mouse(&shown.view, shown.view.layout.pane_first + 4, 13 + 8, SCA_CLICK);
    sca_view_draw(&shown.view, &shown.screen);
    ck_assert_ptr_nonnull(line_with("Iteration 9: own 200 ms, slowest 400 ms (rank 3)"));
    stop();
}
END_TEST

/* Of 72 columns, the first quarter is computation, then a wait for a message, then one for all. */
START_TEST(a_timeline_has_letters_and_signs)
{
    start(60, 80);
    press("0");
    ck_assert_ptr_nonnull(line_with("typical 1/2: 1.00 s, second 2.5, 8 alike; balance 0.63"));
    ck_assert_ptr_nonnull(line_with("     0 aaaaaaaaaaaaaaaaaa...."));
    ck_assert_ptr_nonnull(line_with("....::::::::::"));
    ck_assert_ptr_nonnull(line_with("     4 AAAAAAAAAAAA"));
    ck_assert_ptr_nonnull(line_with("  a     3.50 s  loop cg.c:24"));
    ck_assert_ptr_nonnull(line_with("  .  late sender"));
    ck_assert_ptr_null(line_with("late receiver")); /* nobody waits so */
    ck_assert_ptr_nonnull(line_with("Rows are 2 of 8 ranks."));
    stop();
}
END_TEST

START_TEST(keys_step_through_a_timeline)
{
    start(60, 80);
    press("0w");
    ck_assert_ptr_nonnull(line_with("rank 0 at 0 s: computes 250 ms in loop cg.c:24"));
    ck_assert_ptr_nonnull(line_with("messages: to 4 at 250 ms"));
    press("l");
    ck_assert_ptr_nonnull(line_with("rank 0 at 250 ms: waits 50.0 ms in MPI_Wait cg.c:36"));
    ck_assert_ptr_nonnull(line_with(", for rank 4"));
    press("++");
    ck_assert_ptr_nonnull(line_with("206 ms"));
    press("j");
    ck_assert_ptr_nonnull(line_with("rank 4 at 0 s: computes 1.00 s in loop cg.c:24, critical"));
    press("=x");
    ck_assert_ptr_nonnull(line_with("500 ms, FIRST CAUSE MENDED"));
    press("ox");
    ck_assert_ptr_nonnull(line_with("slowest 2/2: 2.00 s"));
    ck_assert_ptr_null(line_with("MENDED")); /* this one has no such play */
    stop();
}
END_TEST

/* Two rows do not fit below the head: the one on the critical path is in sight. */
START_TEST(a_timeline_with_many_ranks_begins_on_the_critical_path)
{
    start(13, 80);
    press("0");
    ck_assert_ptr_nonnull(line_with("rank 4 at 0 s: computes 1.00 s in loop cg.c:24, critical"));
    ck_assert_ptr_nonnull(line_with("a cg.c:24"));
    stop();
}
END_TEST

START_TEST(enter_goes_from_a_rank_to_its_source_and_back)
{
    start(60, 80);
    press("0wl");
    sca_view_key(&shown.view, SCA_KEY_ENTER);
    ck_assert_int_eq(shown.view.kind, SCA_SOURCE);
    ck_assert_uint_eq(shown.view.shown, 6);
    sca_view_key(&shown.view, SCA_KEY_ESCAPE);
    ck_assert_int_eq(shown.view.kind, SCA_TIMELINE);
    press("");
    ck_assert_ptr_nonnull(line_with("rank 0 at 250 ms: waits"));
    stop();
}
END_TEST

VIEWER_SUITE("viewer_time", a_series_is_drawn_and_told, clusters_have_their_events,
             keys_move_along_a_series_and_enlarge_it, a_range_is_what_other_panes_show,
             a_click_chooses_an_iteration, a_timeline_has_letters_and_signs,
             a_timeline_with_many_ranks_begins_on_the_critical_path, keys_step_through_a_timeline,
             enter_goes_from_a_rank_to_its_source_and_back)
