/* What is said of the runs' data, and what is not worth saying. */
#include "report/notes.h"
#include "check_main.h"
#include "measured.h"

#include <string.h>

enum { RUNS = 2, RANKS = 4, MOST_NOTES = 64 };

static struct sca_rank ranks[RUNS][RANKS];
static struct sca_profile profiles[RUNS];
static struct sca_ppg_run runs[RUNS];
static struct sca_measure measures[RUNS];
static struct sca_ppg ppg;
static struct sca_workspace space;
static struct sca_report *report;
static struct sca_analysis c;

/* "small" on 2 ranks and "large" on 4: complete, with samples enough. */
static void set_up(void)
{
    static const char *const names[RUNS] = {"small", "large"};
    report = sca_report_new();
    report->notes = sca_report_alloc(report, MOST_NOTES * sizeof *report->notes);
    report->runs = sca_report_alloc(report, RUNS * sizeof *report->runs);
    for (uint32_t i = 0; i < RUNS; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            ranks[i][r] = (struct sca_rank){
                .present = true, .complete = true, .samples = 1100, .samples_in_mpi = 100};
        profiles[i] = (struct sca_profile){
            .directory = names[i], .complete = true, .nranks = 2 + 2 * i, .ranks = ranks[i]};
        runs[i] = (struct sca_ppg_run){.profile = &profiles[i], .nranks = 2 + 2 * i};
        measures[i] =
            (struct sca_measure){.ppg = &ppg, .run = &runs[i], .nranks = 2 + 2 * i, .on_core = 1};
    }
    ppg = (struct sca_ppg){.nruns = RUNS, .runs = runs};
    space = test_room();
    c = (struct sca_analysis){.ppg = &ppg,
                              .space = &space,
                              .report = report,
                              .measures = measures,
                              .whole = measures,
                              .nwhole = RUNS,
                              .last = RUNS - 1};
}

static void tear_down(void)
{
    sca_report_free(report);
    sca_workspace_free(&space);
}

/* Exactly `count` notes, one of which has the text. */
static void check(uint32_t count, const char *text)
{
    bool found = false;
    report->nnotes = 0;
    sca_notes_of_runs(&c);
    ck_assert_uint_eq(report->nnotes, count);
    for (uint32_t i = 0; i < report->nnotes; i++)
        found |= strstr(report->notes[i], text) != NULL;
    ck_assert_msg(found || !count, "no note of \"%s\"", text);
}

START_TEST(of_sound_runs_nothing_is_said)
{
    check(0, "");
}
END_TEST

START_TEST(one_size_shows_no_scaling)
{
    measures[0].nranks = 4;
    check(1, "All runs have the same number of ranks.");
}
END_TEST

START_TEST(ranks_that_did_not_end_are_counted)
{
    profiles[1].complete = ranks[1][1].complete = false;
    ranks[1][2] = (struct sca_rank){0};
    check(2, "large is incomplete: 2 of 4 ranks did not reach MPI_Finalize, and 1 left no data. ");
    check(2, "The largest run is incomplete");
    ranks[1][2] = ranks[1][0];
    check(2, "large is incomplete: 1 of 4 ranks did not reach MPI_Finalize. ");
}
END_TEST

START_TEST(who_computed_when_it_broke_off_is_named)
{
    struct sca_moment late = {.open_ns = 3000000000}, later = {.open_ns = 8250000000};
    profiles[1].complete = ranks[1][1].complete = ranks[1][3].complete = false;
    ranks[1][1].moment = &late;
    check(3, "while rank 1 computed: it had made no call for 3 s. This is in the wall time");
    late.open_counts = true;
    check(3, "while rank 1 computed: it had made no call for 3 s. What samples show of it counts ");
    ranks[1][3].moment = &later;
    check(3, "while rank 3 computed: it had made no call for 8.25 s, as did 1 other. ");
}
END_TEST

START_TEST(a_smaller_run_that_did_not_end_is_left_out_of_models)
{
    profiles[0].complete = ranks[0][0].complete = false;
    c.nwhole = 1;
    check(2, "small is incomplete: 1 of 2 ranks");
    check(2, "The scaling models omit incomplete runs.");
}
END_TEST

START_TEST(what_was_lost_is_told_with_its_number)
{
    ranks[0][0].dropped = 3;
    ranks[0][1].dropped = 4;
    check(1, "small: the runtime had no room for 7 records");
    ranks[0][0].dropped = ranks[0][1].dropped = 0;
    ranks[1][3].absurd = 1;
    check(1, "large: a clock jumped. 1 time longer than the run was left out");
    ranks[1][0].absurd = 1;
    check(1, "large: a clock jumped. 2 times longer than the run were left out");
}
END_TEST

static void sample(uint32_t run, uint64_t of_each)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        ranks[run][r].samples = of_each + 1000;
        ranks[run][r].samples_in_mpi = 1000;
    }
}

START_TEST(fifty_samples_of_computation_a_rank_are_enough)
{
    sample(1, 50);
    check(0, "");
    ranks[1][3].samples--;
    check(1, "Few samples (199 on 4 ranks)");
    ranks[1][3] = (struct sca_rank){0}; /* a rank that is gone needs none */
    profiles[1].complete = false;
    check(2, "large is incomplete"); /* the other: that nothing is said of scaling */
}
END_TEST

START_TEST(few_samples_of_several_runs_are_one_sentence)
{
    sample(0, 10);
    sample(1, 20);
    check(1, "Few samples (20 on 2 ranks, 80 on 4 ranks)");
    sample(1, 0);
    check(2, "large has no samples of computation");
    check(2, "Few samples (20 on 2 ranks)");
}
END_TEST

START_TEST(shared_cores_are_told_by_size_and_busy_ones_by_run)
{
    measures[0].shared = true;
    measures[0].on_core = 0.6;
    check(1, "The ranks of small were on a core for only 60 % of the time");
    measures[0].oversubscribed = true;
    check(1, "Ranks shared cores (runs on 2 ranks)");
    measures[1].oversubscribed = measures[1].shared = true;
    check(1, "Ranks shared cores (runs on 2, 4 ranks)");
    measures[0].nranks = 4;
    check(2, "Ranks shared cores (runs on 4 ranks)");
}
END_TEST

START_TEST(what_others_took_of_the_cores_is_told)
{
    measures[1].oversubscribed = measures[1].shared = true;
    measures[1].cores = 2;
    measures[1].had = 0.9;
    check(1, "Ranks shared cores");
    measures[1].had = 0.4;
    check(2, "The ranks of large had their 2 cores for only 40 % of the time");
}
END_TEST

START_TEST(a_program_that_stops_by_time_is_told_with_its_steps)
{
    double steps[RUNS] = {100, 150};
    c.comparable.steps = steps;
    check(0, "");
    c.comparable.timed = true;
    check(1, "were 100 on 2, 150 on 4 ranks");
}
END_TEST

START_TEST(very_many_notes_come_to_an_end)
{
    for (int i = 0; i < 3 * MOST_NOTES; i++)
        sca_notes_add(&c, "note %d", i);
    ck_assert_uint_eq(report->nnotes, MOST_NOTES);
    ck_assert_str_eq(report->notes[MOST_NOTES - 1], "note 63");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("notes_runs");
    TCase *tcase = tcase_create("notes_runs");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, of_sound_runs_nothing_is_said);
    tcase_add_test(tcase, one_size_shows_no_scaling);
    tcase_add_test(tcase, ranks_that_did_not_end_are_counted);
    tcase_add_test(tcase, who_computed_when_it_broke_off_is_named);
    tcase_add_test(tcase, a_smaller_run_that_did_not_end_is_left_out_of_models);
    tcase_add_test(tcase, what_was_lost_is_told_with_its_number);
    tcase_add_test(tcase, fifty_samples_of_computation_a_rank_are_enough);
    tcase_add_test(tcase, few_samples_of_several_runs_are_one_sentence);
    tcase_add_test(tcase, shared_cores_are_told_by_size_and_busy_ones_by_run);
    tcase_add_test(tcase, what_others_took_of_the_cores_is_told);
    tcase_add_test(tcase, a_program_that_stops_by_time_is_told_with_its_steps);
    tcase_add_test(tcase, very_many_notes_come_to_an_end);
    suite_add_tcase(suite, tcase);
    return suite;
}
