/* Calls on windows whose waits are not replayed. */
#include "report/notes.h"
#include "check_main.h"
#include "measured.h"

#include <string.h>

enum { RANKS = 2, VERTICES = 4, MOST_NOTES = 64, LOCK = 1, FLUSH = 2, BARRIER = 3 };

static struct sca_ppg_vertex vertices[VERTICES] = {
    {.kind = SCA_ROOT, .name = ""},
    [LOCK] = {.kind = SCA_MPI, .name = "MPI_Win_lock"},
    [FLUSH] = {.kind = SCA_MPI, .name = "MPI_Win_flush_all"},
    [BARRIER] = {.kind = SCA_MPI, .name = "MPI_Barrier"}};
static double mpi[VERTICES * RANKS];
static struct sca_site_wait sites[VERTICES * SCA_WAIT_CLASSES];
static struct sca_ppg ppg = {.nvertices = VERTICES, .vertices = vertices};
static struct sca_ppg_run run = {.mpi = mpi, .nranks = RANKS};
static struct sca_measure measure;
static struct sca_account account = {.base = 100};
static struct sca_costs costs = {.sites = sites};
static struct sca_traces traces = {.recorded = true};
static struct sca_stage stage;
static struct sca_settings settings = {.min_share = 0.01};
static struct sca_workspace space;
static struct sca_report *report;
static struct sca_analysis c;

/* Ranks are 10 s in MPI. */
static void set_up(void)
{
    report = sca_report_new();
    report->notes = sca_report_alloc(report, MOST_NOTES * sizeof *report->notes);
    report->nvertices = VERTICES;
    report->vertices = sca_report_alloc(report, VERTICES * sizeof *report->vertices);
    for (uint32_t v = 0; v < VERTICES; v++)
        report->vertices[v] = (struct sca_report_vertex){.kind = "mpi",
                                                         .name = vertices[v].name,
                                                         .function = "main",
                                                         .file = "a.c",
                                                         .line = 10 * v};
    memset(mpi, 0, sizeof mpi);
    memset(sites, 0, sizeof sites);
    measure = (struct sca_measure){.run = &run, .nranks = RANKS, .mpi = 10, .total = 50};
    space = test_room();
    c = (struct sca_analysis){.ppg = &ppg,
                              .space = &space,
                              .settings = &settings,
                              .report = report,
                              .measures = &measure,
                              .accounts = &account,
                              .costs = &costs,
                              .traces = &traces,
                              .stages = &stage,
                              .order_known = true};
}

static void tear_down(void)
{
    sca_report_free(report);
    sca_workspace_free(&space);
}

static void check(const char *text)
{
    sca_notes_of_replay(&c);
    ck_assert_uint_eq(report->nnotes, text ? 1 : 0);
    if (text)
        ck_assert_msg(strstr(report->notes[0], text) != NULL, "\"%s\"", report->notes[0]);
}

START_TEST(a_lock_that_nobody_has_may_wait_for_the_target)
{
    mpi[LOCK * RANKS + 1] = 4;
    mpi[BARRIER * RANKS] = 6;
    check("Calls on windows took 40 % of the time in MPI, mostly at a.c:10");
}
END_TEST

START_TEST(on_shared_cores_it_must_be_most)
{
    mpi[LOCK * RANKS + 1] = 4;
    measure.shared = true;
    check(NULL);
    mpi[LOCK * RANKS] = 2;
    check("Calls on windows took 60 % of the time in MPI");
}
END_TEST

START_TEST(one_that_another_rank_has_waits_for_that)
{
    mpi[LOCK * RANKS + 1] = 4;
    sites[LOCK * SCA_WAIT_CLASSES].seconds = 2;
    check(NULL);
}
END_TEST

START_TEST(what_flushes_wait_for_words_goes_off)
{
    mpi[FLUSH * RANKS] = 5;
    sites[FLUSH * SCA_WAIT_CLASSES].seconds = 2;
    check("Calls on windows took 30 % of the time in MPI, mostly at a.c:20");
}
END_TEST

START_TEST(other_calls_do_not_count)
{
    mpi[BARRIER * RANKS] = 9;
    mpi[LOCK * RANKS] = 1;
    check(NULL);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("notes replay");
    TCase *tcase = tcase_create("notes replay");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_lock_that_nobody_has_may_wait_for_the_target);
    tcase_add_test(tcase, on_shared_cores_it_must_be_most);
    tcase_add_test(tcase, one_that_another_rank_has_waits_for_that);
    tcase_add_test(tcase, what_flushes_wait_for_words_goes_off);
    tcase_add_test(tcase, other_calls_do_not_count);
    suite_add_tcase(suite, tcase);
    return suite;
}
