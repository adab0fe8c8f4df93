/* The whole screen and its keys, without a terminal. */
#include "sample_report.h"
#include "shown.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static struct shown shown;

static void start(struct sca_report *sample)
{
    sca_text_setup(true);
    shown_open(&shown, sample, 24, 80);
}

static void stop(void)
{
    shown_close(&shown);
}

static void press(int key)
{
    shown_press(&shown, key);
}

static void type(const char *keys)
{
    shown_type(&shown, keys);
}

static bool shows(const char *text)
{
    return shown_line(&shown, text) != NULL;
}

static const char *selected(void)
{
    return shown_selected(&shown);
}

START_TEST(the_first_screen_names_the_first_cause)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    ck_assert(shows("3 root causes by gain"));
    ck_assert_ptr_nonnull(strstr(selected(), "imbalance    cg.c:24"));
    ck_assert(shows("main > loop:70 > conj_grad:72 > loop:20 > loop cg.c:24"));
    ck_assert(shows("gain 11.9 s (33 %)"));
    ck_assert(shows("[source]"));
    stop();
}
END_TEST

START_TEST(the_first_line_says_of_a_killed_run_that_it_is_one)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    report->runs += report->nruns - 1;
    report->nruns = 1;
    report->runs[0].complete = false;
    report->scaling_mode = "single";
    start(report);
    ck_assert(shows("incomplete"));
    stop();
}
END_TEST

START_TEST(keys_sort_and_move)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    press('i');
    ck_assert(shows("by imbalance"));
    ck_assert_ptr_nonnull(strstr(selected(), "serial"));
    press('j');
    press(SCA_KEY_DOWN);
    press(SCA_KEY_DOWN);
    ck_assert_ptr_nonnull(strstr(selected(), "nonscalable"));
    press('g');
    ck_assert_ptr_nonnull(strstr(selected(), "imbalance"));
    stop();
}
END_TEST

START_TEST(tab_goes_through_the_panes_and_round)
{
    static const char *const marks[] = {
        "From a wait back", "Computation of each rank", "over ideal",      "communication",
        "all below",        "Bytes, sender down",       "Advice, in",      "iterations 1 to 12",
        "has no timelines", "No thread was seen",       "Source not found"};
    start(sca_sample_cg("/nowhere/cg.c"));
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        press(SCA_KEY_TAB);
        ck_assert_msg(shows(marks[i]), "%s", marks[i]);
    }
    press(SCA_KEY_BACKTAB);
    ck_assert(shows("[locks]"));
    press(SCA_KEY_BACKTAB);
    ck_assert(shows("[timeline]"));
    press('L');
    ck_assert(shows("[locks]"));
    press('8');
    ck_assert(shows("[classes]"));
    press('7');
    ck_assert(shows("[matrix]"));
    ck_assert(shows("        7 @       |"));
    press('3');
    ck_assert(shows("[ranks]"));
    stop();
}
END_TEST

START_TEST(locks_go_from_thread_to_thread)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_contention(report, 3);
    start(report);
    press('L');
    ck_assert(shows("Threads waited 6.00 s for locks"));
    ck_assert(shows("Of 3.00 s it is not known"));
    ck_assert(shows("rank 1, thread 0            o                 ^"));
    ck_assert(shows("rank 1, thread 1            v        o        |"));
    ck_assert(shows("rank 1, thread 2                     v        o"));
    ck_assert(shows("a > b"));
    ck_assert(shows("table_lock"));
    stop();
}
END_TEST

START_TEST(hosts_waits_and_forecasts_are_told)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    sca_view_resize(&shown.view, 40, 80);
    press('3');
    ck_assert(shows("most 3.10 s (rank 4)"));
    ck_assert(shows("3.07×     nodeB"));
    press('5');
    ck_assert(shows(" wait at NxN        12.1 s   91 % direct  MPI_Allreduce cg.c:44"));
    ck_assert(shows("  through main > conj_grad (line 72)"));
    ck_assert(shows("  node<A> (10.0.0.1): ranks 0-3"));
    press('j');
    press('4');
    ck_assert(shows("16 % on 16 ranks (95 %: 14 to 18)"));
    press('2');
    ck_assert(shows("No chain of waits"));
    press('j');
    ck_assert(shows("This is the cause: only on this rank"));
    stop();
}
END_TEST

START_TEST(a_pane_that_goes_on_below_says_so)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    sca_view_resize(&shown.view, 24, 80);
    press('5');
    ck_assert(shows(" more (J) "));
    for (int i = 0; i < 40; i++)
        press('J');
    ck_assert(!shows(" more (J) "));
    stop();
}
END_TEST

START_TEST(a_cause_between_two_calls_names_them)
{
    struct sca_report *sample = sca_sample_cg("/nowhere/cg.c");
    sample->causes[0].between = true;
    sample->causes[0].after = 6;
    sample->causes[0].before = 7;
    start(sample);
    sca_view_resize(&shown.view, 40, 100);
    sca_view_draw(&shown.view, &shown.screen);
    ck_assert(shows("loop cg.c:24, between cg.c:36 MPI_Wait and"));
    ck_assert(shows(" cg.c:36..44 "));
    press(SCA_KEY_ENTER);
    ck_assert(shows("      after                   MPI_Wait         cg.c:36"));
    ck_assert(shows("      before                  MPI_Allreduce    cg.c:44"));
    stop();
}
END_TEST

START_TEST(ranks_are_named_with_their_places)
{
    struct sca_report *sample = sca_sample_cg("/nowhere/cg.c");
    uint32_t dims[] = {4, 2};
    bool periodic[] = {true, false};
    int32_t places[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 3, 0, 3, 1};
    sample->runs[2].topology =
        (struct sca_report_topology){"cart", 2, dims, periodic, 8, 2, places};
    start(sample);
    press('2');
    ck_assert(shows("rank 4 (2,0)"));
    press('3');
    ck_assert(shows("▶     4 (2,0) █"));
    stop();
}
END_TEST

START_TEST(threads_stand_below_their_ranks)
{
    struct sca_report *sample = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_threads(sample);
    start(sample);
    press('2');
    press('3');
    ck_assert(shows("  thread 0     █"));
    ck_assert(shows("  thread 70    █"));
    ck_assert(shows("  others       █"));
    stop();
}
END_TEST

START_TEST(the_slowest_of_many_ranks_is_in_sight)
{
    start(sca_sample_large(20, 128));
    for (int i = 0; i < 10; i++)
        press('j');
    press('3');
    ck_assert_uint_eq(shown.report->causes[10].ranks[0], 10);
    ck_assert(shows("▶    10 "));
    stop();
}
END_TEST

START_TEST(enter_follows_a_hop_and_escape_returns)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    press(SCA_KEY_ENTER);
    ck_assert(shows("[chain]"));
    press(SCA_KEY_DOWN);
    press(SCA_KEY_DOWN);
    ck_assert_ptr_nonnull(strstr(selected(), "rank 4    MPI_Wait"));
    press(SCA_KEY_ENTER);
    ck_assert(shows("[source]"));
    ck_assert_uint_eq(shown.view.shown, 6);
    press(SCA_KEY_ESCAPE);
    ck_assert_ptr_nonnull(strstr(selected(), "rank 4    MPI_Wait"));
    press(SCA_KEY_ESCAPE);
    ck_assert_ptr_nonnull(strstr(selected(), "imbalance"));
    ck_assert_uint_eq(shown.view.shown, 4);
    stop();
}
END_TEST

START_TEST(more_hops_than_the_history_holds)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    press(SCA_KEY_ENTER);
    for (int i = 0; i < 3 * SCA_HISTORY; i++) {
        press(SCA_KEY_ENTER);
        press('2');
    }
    for (int i = 0; i < 3 * SCA_HISTORY; i++)
        press(SCA_KEY_ESCAPE);
    ck_assert(!shown.view.below);
    stop();
}
END_TEST

START_TEST(the_tree_shows_all_vertices)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    press('v');
    ck_assert_ptr_nonnull(strstr(selected(), "#1"));
    press(SCA_KEY_LEFT);
    ck_assert_ptr_nonnull(strstr(selected(), "loop  cg.c:20"));
    press(SCA_KEY_LEFT);
    ck_assert(!shows("MPI_Allreduce"));
    press(SCA_KEY_RIGHT);
    ck_assert(shows("MPI_Allreduce"));
    press('t');
    press('*');
    press('p');
    press('v');
    ck_assert(shows("3 root causes"));
    stop();
}
END_TEST

START_TEST(search_finds_in_closed_branches_and_says_when_not)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    type("v");
    press(SCA_KEY_HOME);
    press('-');
    type("/allred");
    ck_assert(shows("/allred_"));
    press(SCA_KEY_ENTER);
    ck_assert_ptr_nonnull(strstr(selected(), "MPI_Allreduce"));
    type("/zzz");
    press(SCA_KEY_ENTER);
    ck_assert(shows("Not found: zzz"));
    type("/\xc3\xa4");
    press(SCA_KEY_BACKSPACE);
    ck_assert_str_eq(shown.view.input, "");
    press(SCA_KEY_BACKSPACE);
    ck_assert_int_eq(shown.view.prompt, SCA_NO_PROMPT);
    stop();
}
END_TEST

START_TEST(a_healthy_program_is_told_so)
{
    start(sca_sample_healthy());
    ck_assert(shows("No cause of scaling loss found above 2 % of ranks x wall."));
    ck_assert(shows("efficiency is 0.70 (load"));
    press(SCA_KEY_ENTER);
    press(SCA_KEY_DOWN);
    press('1');
    ck_assert(shows("Press v for all vertices"));
    stop();
}
END_TEST

START_TEST(the_mouse_selects_and_scrolls)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    sca_view_mouse(&shown.view, 3, 5, SCA_CLICK);
    sca_view_draw(&shown.view, &shown.screen);
    ck_assert_ptr_nonnull(strstr(selected(), "nonscalable"));
    sca_view_mouse(&shown.view, shown.view.layout.divider, 12, SCA_CLICK);
    sca_view_draw(&shown.view, &shown.screen);
    ck_assert(shows("[chain]"));
    sca_view_mouse(&shown.view, 2, 5, SCA_DOUBLE_CLICK);
    ck_assert(shown.view.below);
    sca_view_mouse(&shown.view, shown.view.layout.pane_first + 1, 5, SCA_WHEEL_DOWN);
    sca_view_mouse(&shown.view, 0, 0, SCA_CLICK);
    sca_view_mouse(&shown.view, 23, 79, SCA_DOUBLE_CLICK);
    stop();
}
END_TEST

/* Sizes of all kinds, every pane, both lists: nothing wider or longer than the shown.screen. */
START_TEST(any_size_will_do)
{
    static const char keys[] = "12345v12345*j\tv90w+>lv";
    struct sca_report *(*const samples[])(void) = {sca_sample_hostile, sca_sample_healthy};
    for (int s = 0; s < 2; s++) {
        start(samples[s]());
        for (int columns = 1; columns < 140; columns += columns < 60 ? 5 : 17)
            for (int rows = 1; rows < 50; rows += rows < 26 ? 3 : 11) {
                sca_view_resize(&shown.view, rows, columns);
                type(keys);
                press(SCA_KEY_ENTER);
                press(SCA_KEY_ESCAPE);
                press('?');
                press('?');
            }
        stop();
    }
}
END_TEST

START_TEST(too_small_says_so)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    sca_view_resize(&shown.view, 8, 60);
    sca_view_draw(&shown.view, &shown.screen);
    ck_assert(shows("Too small: 60x8, needs 50x12"));
    sca_view_resize(&shown.view, 24, 80);
    sca_view_draw(&shown.view, &shown.screen);
    ck_assert(shows("3 root causes"));
    stop();
}
END_TEST

START_TEST(ten_thousand_causes)
{
    start(sca_sample_large(10000, 16));
    press(SCA_KEY_END);
    press('t');
    press('s');
    press(SCA_KEY_PAGE_DOWN);
    type("/:9999");
    press(SCA_KEY_ENTER);
    ck_assert_ptr_nonnull(strstr(selected(), "big.c:9999"));
    type("v*");
    press(SCA_KEY_END);
    stop();
}
END_TEST

START_TEST(an_empty_report_does_no_harm)
{
    static const char keys[] = "1234567890v1234567890*jkgctispw90hl+-=<>ox/x\rnNhlm";
    start(sca_report_new());
    for (const char *key = keys; *key; key++)
        press(*key == '\r' ? SCA_KEY_ENTER : *key);
    press(SCA_KEY_ESCAPE);
    press(SCA_KEY_ENTER);
    press(SCA_KEY_END);
    press('q');
    ck_assert(shown.view.quit);
    stop();
}
END_TEST

static bool shows_both(const char *left, const char *right)
{
    for (size_t i = 0; i < shown.screen.count; i++)
        if (strstr(shown.screen.line[i].text, left) && strstr(shown.screen.line[i].text, right))
            return true;
    return false;
}

/* Source and chain beside each other where there is room, the account alone. */
START_TEST(a_wide_screen_has_two_panes)
{
    start(sca_sample_cg("/nowhere/cg.c"));
    sca_view_resize(&shown.view, 50, 119);
    sca_view_draw(&shown.view, &shown.screen);
    ck_assert(!shows("From a wait back to its cause"));
    sca_view_resize(&shown.view, 50, 160);
    sca_view_draw(&shown.view, &shown.screen);
    shown_check(&shown);
    ck_assert(shows_both("Source not found", "From a wait back to its cause"));
    press('2');
    ck_assert(shows_both("From a wait back to its cause", "Source not found"));
    press('5');
    ck_assert(!shows("From a wait back to its cause"));
    stop();
}
END_TEST

/* Marked, in the list and in its chain. */
START_TEST(what_is_not_confirmed_stands_with_the_causes)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    r->causes[r->ncauses - 1].doubt = "one run alone has it";
    r->ncauses--;
    r->nunconfirmed = 1;
    uint32_t all = r->ncauses + 1;
    start(r);
    char number[16];
    snprintf(number, sizeof number, " %u?", all);
    ck_assert(shows(number));
    ck_assert(shows("1 not confirmed"));
    press(SCA_KEY_END);
    press('2');
    ck_assert(shows("Not confirmed: one run alone has it."));
    stop();
}
END_TEST

VIEWER_SUITE("viewer_view", the_first_screen_names_the_first_cause,
             the_first_line_says_of_a_killed_run_that_it_is_one, keys_sort_and_move,
             tab_goes_through_the_panes_and_round, locks_go_from_thread_to_thread,
             hosts_waits_and_forecasts_are_told, a_pane_that_goes_on_below_says_so,
             a_cause_between_two_calls_names_them, ranks_are_named_with_their_places,
             threads_stand_below_their_ranks, the_slowest_of_many_ranks_is_in_sight,
             enter_follows_a_hop_and_escape_returns, more_hops_than_the_history_holds,
             the_tree_shows_all_vertices, search_finds_in_closed_branches_and_says_when_not,
             a_healthy_program_is_told_so, the_mouse_selects_and_scrolls, any_size_will_do,
             too_small_says_so, a_wide_screen_has_two_panes,
             what_is_not_confirmed_stands_with_the_causes, ten_thousand_causes,
             an_empty_report_does_no_harm)
