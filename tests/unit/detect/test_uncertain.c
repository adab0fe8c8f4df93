/* Call paths and ranks of which the report says that it does not know. */
#include "report/uncertain.h"
#include "apportion/rank_intervals.h"
#include "check_main.h"
#include "measured.h"
#include "report/notes.h"
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 2, MOST_NOTES = 8, PERIOD_NS = 5000000, BY_POINTER = 1, PLAIN, LOST, VERTICES };

static struct sca_workspace space;
static struct sca_report *report;

/* By pointer: main > caller > (a guess) kernel. Plain: main > caller. Lost: of no known caller. */
static struct synth *paths(void)
{
    struct synth *s = synth_new(RANKS);
    uint32_t exe = synth_module(s, "/tmp/kernels", "00ff");
    uint32_t caller = synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN);
    uint32_t guess = synth_node(s, caller, exe, 0x1230, SCA_NODE_PC + SCA_NODE_GUESSED);
    uint32_t lost =
        synth_node(s, synth_node(s, 0, SCA_NONE, 0, SCA_NODE_RETURN), exe, 0x1330, SCA_NODE_PC);
    ck_assert_uint_eq(guess, 2);
    ck_assert_uint_eq(lost, 4);
    return s;
}

static struct sca_analysis analysis_of(struct sca_ppg *ppg, struct sca_ppg_run *run,
                                       struct sca_measure *measure, struct sca_profile *profile)
{
    static uint32_t node_vertex[] = {0, PLAIN, BY_POINTER, 0, LOST};
    static double sampled[VERTICES] = {0, 6, 3, 1};
    *run = (struct sca_ppg_run){
        .profile = profile, .nranks = RANKS, .node_vertex = node_vertex, .sampled = sampled};
    *ppg = (struct sca_ppg){.nruns = 1, .runs = run, .nvertices = VERTICES};
    *measure = (struct sca_measure){.ppg = ppg, .run = run, .nranks = RANKS};
    return (struct sca_analysis){
        .ppg = ppg, .space = &space, .report = report, .measures = measure, .nwhole = 1};
}

static void set_up(void)
{
    static const char *const names[VERTICES] = {"root", "kernel", "caller", "lost"};
    space = test_room();
    report = sca_report_new();
    report->notes = sca_report_alloc(report, MOST_NOTES * sizeof *report->notes);
    report->vertices = sca_report_alloc(report, VERTICES * sizeof *report->vertices);
    report->nvertices = VERTICES;
    for (uint32_t v = 0; v < VERTICES; v++) {
        report->vertices[v].name = report->vertices[v].function = names[v];
        report->vertices[v].file = "k.c";
        report->vertices[v].kind = "comp";
        report->vertices[v].line = v;
    }
}

static void tear_down(void)
{
    sca_report_free(report);
    sca_workspace_free(&space);
}

static void has_note(const char *text)
{
    bool found = false;
    for (uint32_t i = 0; i < report->nnotes; i++)
        found |= strstr(report->notes[i], text) != NULL;
    ck_assert_msg(found, "no note of \"%s\"", text);
}

START_TEST(guesses_and_cut_paths_are_told_with_place_and_share)
{
    struct synth *s = paths();
    struct sca_profile *profile = synth_profile(s);
    struct sca_ppg ppg;
    struct sca_ppg_run run;
    struct sca_measure measure;
    struct sca_analysis c = analysis_of(&ppg, &run, &measure, profile);
    const uint8_t *vertices = sca_uncertain_vertices(&c, &run);
    ck_assert_uint_eq(vertices[PLAIN], 0);
    ck_assert_uint_eq(vertices[BY_POINTER], SCA_PATH_GUESSED);
    ck_assert_uint_eq(vertices[LOST], SCA_PATH_CUT);
    sca_notes_of_uncertainty(&c);
    ck_assert_uint_eq(report->nnotes, 2);
    has_note("as at k.c:1 code in kernel. Its caller is a guess from the stack: 60 %");
    has_note("as at k.c:3 code in lost. Work for different callers is reported as one: 10 %");
    synth_free(s);
    sca_profile_free(profile);
}
END_TEST

START_TEST(threads_without_samples_are_told_with_ranks_and_reason)
{
    struct synth *s = synth_new(RANKS);
    synth_rank_meta(s, 1, "sampling.unreached", "3 threads blocked it");
    struct sca_profile *profile = synth_profile(s);
    struct sca_ppg ppg;
    struct sca_ppg_run run;
    struct sca_measure measure;
    struct sca_analysis c = analysis_of(&ppg, &run, &measure, profile);
    sca_notes_of_uncertainty(&c);
    ck_assert_uint_eq(report->nnotes, 1);
    has_note("samples are missing on 1 of 2 ranks: 3 threads blocked it");
    synth_free(s);
    sca_profile_free(profile);
}
END_TEST

/* Of two ranks with samples for a tenth of an interval; one has threads without any. */
START_TEST(samples_that_cover_little_say_nothing_where_some_are_missing)
{
    static const uint32_t node_vertex[] = {0, 1};
    struct synth *s = synth_new(RANKS);
    uint32_t exe = synth_module(s, "/tmp/kernels", "00ff");
    uint32_t node = synth_node(s, 0, exe, 0x1130, SCA_NODE_PC);
    uint32_t site = synth_site(s, 0, "MPI_Barrier");
    for (uint32_t r = 0; r < RANKS; r++) {
        synth_header(s, r)->sample_period_ns = PERIOD_NS;
        synth_interval(s, r, site, site, 10, 100ul * PERIOD_NS);
        synth_sample_to(s, r, node, site, site, 10, 0);
    }
    synth_rank_meta(s, 1, "sampling.unreached", "1 thread blocked it");
    struct sca_profile *profile = synth_profile(s);
    void *memory = calloc(1, sca_rank_open_size(profile));
    struct sca_opened *opened = sca_rank_open_init(memory, profile);
    struct sca_intervals numbers;
    struct sca_rank_intervals g;
    ck_assert_int_eq(sca_intervals_open(&numbers, profile, opened), 0);
    ck_assert_int_eq(sca_rank_intervals_open(&g, &numbers, RANKS), 0);
    for (uint32_t r = 0; r < RANKS; r++)
        sca_rank_intervals_ask(&g, sca_rank_open(opened, r, SCA_OPEN_ALL));
    sca_rank_intervals_asked(&g);
    for (uint32_t r = 0; r < RANKS; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_ALL);
        ck_assert_int_eq(sca_rank_intervals_take(&g, rank, node_vertex), 0);
        ck_assert_uint_eq(g.samples.nown, r ? 0 : 1);
    }
    sca_rank_intervals_free(&g);
    sca_intervals_free(&numbers);
    free(memory);
    synth_free(s);
    sca_profile_free(profile);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("uncertain");
    TCase *tcase = tcase_create("uncertain");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, guesses_and_cut_paths_are_told_with_place_and_share);
    tcase_add_test(tcase, threads_without_samples_are_told_with_ranks_and_reason);
    tcase_add_test(tcase, samples_that_cover_little_say_nothing_where_some_are_missing);
    suite_add_tcase(suite, tcase);
    return suite;
}
