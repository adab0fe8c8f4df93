/* Waits that nothing else of the report names: for few ranks, or for all in turn. */
#include "report/notes.h"
#include "check_main.h"
#include "measured.h"

#include <string.h>

enum { RANKS = 8, VERTICES = 3, MOST_NOTES = 64 };

static struct sca_ppg_vertex vertices[VERTICES];
static double costs[VERTICES * RANKS];
static struct sca_ppg ppg = {.nvertices = VERTICES, .vertices = vertices};
static struct sca_account account;
static struct sca_costs waited;
static struct sca_settings settings = {.min_share = 0.01};
static struct sca_workspace space;
static struct sca_report *report;
static struct sca_analysis c;

/* 100 core-seconds, 10 of them waits, as the table says: [vertex][rank]. */
static void set_up(void)
{
    report = sca_report_new();
    report->notes = sca_report_alloc(report, MOST_NOTES * sizeof *report->notes);
    report->runs = sca_report_alloc(report, sizeof *report->runs);
    report->runs->ranks = RANKS;
    report->nvertices = VERTICES;
    report->vertices = sca_report_alloc(report, VERTICES * sizeof *report->vertices);
    for (uint32_t v = 0; v < VERTICES; v++)
        report->vertices[v] = (struct sca_report_vertex){
            .kind = "loop", .name = "", .function = "main", .file = "a.c", .line = 10 * v};
    memset(costs, 0, sizeof costs);
    account = (struct sca_account){.base = 100, .duration = 100.0 / RANKS};
    waited = (struct sca_costs){.waits = 10};
    space = test_room();
    c = (struct sca_analysis){.ppg = &ppg,
                              .space = &space,
                              .settings = &settings,
                              .report = report,
                              .accounts = &account,
                              .costs = &waited,
                              .replayed = {.nvertices = VERTICES, .nranks = RANKS, .of = costs}};
}

static void tear_down(void)
{
    sca_report_free(report);
    sca_workspace_free(&space);
}

static double *cost(uint32_t vertex, uint32_t rank)
{
    return &costs[vertex * RANKS + rank];
}

static void check(const char *text)
{
    sca_notes_of_waited(&c);
    ck_assert_uint_eq(report->nnotes, text ? 1 : 0);
    if (text)
        ck_assert_msg(strstr(report->notes[0], text) != NULL, "\"%s\"", report->notes[0]);
}

START_TEST(ranks_and_the_place_that_has_most_are_told)
{
    *cost(2, 5) = 5;
    *cost(1, 5) = 0.5;
    *cost(2, 1) = 3;
    *cost(1, 0) = 1.5;
    check("Other ranks wait 8.5 core-s (8 %) for ranks 1, 5, mostly for work in a.c:20");
}
END_TEST

START_TEST(what_many_ranks_share_is_no_rank_s)
{
    for (uint32_t r = 0; r < RANKS; r++)
        *cost(2, r) = 1.25;
    check(
        "No cause, certain or possible, accounts for 10 core-s (10 %) of waiting, mostly for work "
        "in a.c:20");
}
END_TEST

START_TEST(one_of_two_ranks_is_told)
{
    report->runs->ranks = c.replayed.nranks = 2;
    costs[2 * 2 + 1] = 10;
    check("Other ranks wait 10 core-s (10 %) for rank 1, mostly for work in");
}
END_TEST

/* What the findings cost goes off what is left, and so does what shared cores explain. */
START_TEST(what_causes_notes_and_cores_leave_is_told)
{
    struct sca_finding cause = {.number = 0}, doubted = {.number = 1};
    struct sca_price prices[] = {{.cost = 2}, {.cost = 1}};
    for (uint32_t r = 0; r < RANKS; r++)
        *cost(2, r) = 1.25;
    sca_finding_list_add(&space, &c.causes, &cause);
    sca_finding_list_add(&space, &c.noted, &doubted);
    c.prices = prices;
    waited.unexplained = 1;
    report->runs->account.disturbed_core_s = 2;
    check(NULL);
    report->runs->account.disturbed_core_s = 1;
    check("accounts for 5 core-s (5 %) of waiting");
}
END_TEST

/* Between two calls: what goes with it is its own excess and the waits for it. */
START_TEST(what_a_doubted_interval_explains_is_not_open)
{
    struct sca_finding doubted = {.number = 0, .excess = 2};
    struct sca_price price = {.gain = 9};
    for (uint32_t r = 0; r < RANKS; r++)
        *cost(2, r) = 1.25;
    sca_finding_list_add(&space, &c.noted, &doubted);
    c.prices = &price;
    check(NULL);
}
END_TEST

START_TEST(a_short_run_s_waits_are_chance)
{
    for (uint32_t r = 0; r < RANKS; r++)
        *cost(2, r) = 1.25;
    account.duration = 0.1;
    check(NULL);
}
END_TEST

START_TEST(little_is_not_told)
{
    *cost(2, 5) = waited.waits = 4.9;
    check(NULL);
}
END_TEST

START_TEST(who_is_named_already_is_not_told_again)
{
    uint32_t five = 5;
    struct sca_finding named = {.ranks = &five, .nranks = 1};
    *cost(2, 5) = 10;
    c.prices = &(struct sca_price){.cost = 10};
    sca_finding_list_add(&space, &c.noted, &named);
    check(NULL);
    c.noted.count = 0;
    check("for rank 5");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("notes waited");
    TCase *tcase = tcase_create("notes waited");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, ranks_and_the_place_that_has_most_are_told);
    tcase_add_test(tcase, what_many_ranks_share_is_no_rank_s);
    tcase_add_test(tcase, one_of_two_ranks_is_told);
    tcase_add_test(tcase, what_causes_notes_and_cores_leave_is_told);
    tcase_add_test(tcase, what_a_doubted_interval_explains_is_not_open);
    tcase_add_test(tcase, a_short_run_s_waits_are_chance);
    tcase_add_test(tcase, little_is_not_told);
    tcase_add_test(tcase, who_is_named_already_is_not_told_again);
    suite_add_tcase(suite, tcase);
    return suite;
}
