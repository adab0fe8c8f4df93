/* What ranks are late by in halves of windows that follow each other. */
#include "imbalance/window_levels.h"
#include "check_main.h"

#include <setjmp.h>

/* In each half three instances and then another call. */
enum { RANKS = 8, WINDOWS = 16, HALVES = 2 * WINDOWS, ROWS = 3, SITE = 1, OTHER, EVENTS = 9 };
static const uint32_t sites[EVENTS + 1] = {SITE, SITE, SITE, SITE, OTHER,
                                           SITE, SITE, SITE, SITE, OTHER};

static struct sca_workspace space;
static double intervals[WINDOWS][RANKS * EVENTS];
static uint32_t first[RANKS + 1];
static struct sca_event_sequence sequences[WINDOWS][RANKS];
static struct sca_trace windows[WINDOWS];
static double *by_event[WINDOWS];
static struct sca_team alone = {.size = 1};
static struct sca_traces traces;
static struct sca_window_levels levels;

/* Seconds of each instance in half a window; one of three is far longer, which must not matter. */
typedef double seconds_of(uint32_t half, uint32_t rank);

static seconds_of *elsewhere; /* before the other call of a half; NULL: none */

static void fill_rank(uint32_t w, uint32_t r, seconds_of *of)
{
    double *interval = &intervals[w][first[r]];
    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t half = 2 * w + (i > ROWS);
        if (sites[i] == SITE && sites[i + 1] == SITE)
            interval[i] = of(half, r) * (i % ROWS == (w + r) % ROWS ? 3 : 1);
        else
            interval[i] = sites[i + 1] == OTHER && elsewhere ? elsewhere(half, r) : 0;
    }
}

static void fill_window(uint32_t w, seconds_of *of)
{
    by_event[w] = intervals[w];
    first[RANKS] = RANKS * EVENTS;
    for (uint32_t r = 0; r < RANKS; r++) {
        first[r] = r * EVENTS;
        fill_rank(w, r, of);
        sequences[w][r] = (struct sca_event_sequence){
            .nevents = EVENTS, .sites = sites, .interval = &intervals[w][first[r]]};
    }
    windows[w] = (struct sca_trace){.nranks = RANKS,
                                    .number = w,
                                    .sequences = sequences[w],
                                    .weight = 2,
                                    .first = first,
                                    .nevents = RANKS * EVENTS};
}

static void find(uint32_t nwindows, seconds_of *of)
{
    for (uint32_t w = 0; w < nwindows; w++)
        fill_window(w, of);
    traces =
        (struct sca_traces){.team = &alone, .all = nwindows, .count = nwindows, .traces = windows};
    struct sca_long_instances instances = {
        .space = &space, .traces = &traces, .nranks = RANKS, .interval = by_event};
    levels = sca_window_levels_find(&instances, SITE, SITE, 0);
}

static double late(uint32_t half, uint32_t rank)
{
    return levels.late[half * RANKS + rank];
}

/* Two windows on each rank, one rank after the other; and rank 7 has half as much again always. */
static double front(uint32_t half, uint32_t rank)
{
    return (half / 4 == rank ? 1.2 : 1) * (rank == 7 ? 1.5 : 1);
}

START_TEST(what_moves_slowly_is_late_where_it_is)
{
    find(WINDOWS, front);
    for (uint32_t h = 0; h < HALVES; h++)
        for (uint32_t r = 0; r < RANKS; r++)
            ck_assert_double_eq_tol(late(h, r), h / 4 == r ? r == 7 ? 0.3 : 0.2 : 0, 1e-9);
    ck_assert_double_eq_tol(levels.loss, 2 * HALVES * ROWS * RANKS * 0.2, 1e-6);
}
END_TEST

/* Who is late by a front does as much less elsewhere, or keeps half of it. */
static double less(uint32_t half, uint32_t rank)
{
    return 10 - 5 * (front(half, rank) / (rank == 7 ? 1.5 : 1) - 1);
}

static double hardly_less(uint32_t half, uint32_t rank)
{
    return 10 - 2 * (front(half, rank) / (rank == 7 ? 1.5 : 1) - 1);
}

START_TEST(what_is_done_now_here_now_elsewhere_keeps_nobody_waiting)
{
    elsewhere = less;
    find(WINDOWS, front);
    ck_assert_double_eq(levels.loss, 0);
    ck_assert_ptr_null(levels.late);
    elsewhere = hardly_less;
    find(WINDOWS, front);
    ck_assert_double_eq_tol(late(0, 0), 0.2, 1e-9);
    elsewhere = NULL;
}
END_TEST

/* The same, and rank 4 passes it on after half a window. */
static double passing(uint32_t half, uint32_t rank)
{
    return front(half > 16 && half < 20 ? 20 : half, rank);
}

START_TEST(what_was_there_in_one_half_is_on_that_rank_too)
{
    find(WINDOWS, passing);
    ck_assert_double_eq_tol(late(16, 4), 0.2, 1e-9);
    ck_assert_double_eq_tol(levels.loss, 2 * (HALVES - 1) * ROWS * RANKS * 0.2, 1e-6);
}
END_TEST

static double always(uint32_t half, uint32_t rank)
{
    (void)half;
    return rank == 3 ? 1.5 : 1;
}

START_TEST(what_is_so_all_along_does_not_move)
{
    find(WINDOWS, always);
    ck_assert_double_eq(levels.loss, 0);
}
END_TEST

/* In each half another rank, never the same in two that follow each other. */
static double chance(uint32_t half, uint32_t rank)
{
    return (5 * half) % RANKS == rank ? 1.3 : 1;
}

START_TEST(late_in_one_half_may_be_chance)
{
    find(WINDOWS, chance);
    ck_assert_double_eq(levels.loss, 0);
    ck_assert_ptr_null(levels.late);
}
END_TEST

/* One of two cores is slow for half of the run, with all ranks that it holds. */
static double core(uint32_t half, uint32_t rank)
{
    return half < WINDOWS && rank % 2 ? 1.3 : 1;
}

START_TEST(a_slow_core_has_more_than_a_quarter_of_the_ranks)
{
    find(WINDOWS, core);
    ck_assert_double_eq(levels.loss, 0);
}
END_TEST

START_TEST(one_window_is_too_few)
{
    find(1, front);
    ck_assert_ptr_null(levels.late);
    ck_assert_double_eq(levels.loss, 0);
}
END_TEST

static jmp_buf out_of_memory;

static void open_space(void)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
}

static void close_space(void)
{
    sca_workspace_free(&space);
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("window levels");
    TCase *tcase = tcase_create("window levels");
    tcase_add_checked_fixture(tcase, open_space, close_space);
    tcase_add_test(tcase, what_moves_slowly_is_late_where_it_is);
    tcase_add_test(tcase, what_was_there_in_one_half_is_on_that_rank_too);
    tcase_add_test(tcase, what_is_done_now_here_now_elsewhere_keeps_nobody_waiting);
    tcase_add_test(tcase, what_is_so_all_along_does_not_move);
    tcase_add_test(tcase, late_in_one_half_may_be_chance);
    tcase_add_test(tcase, a_slow_core_has_more_than_a_quarter_of_the_ranks);
    tcase_add_test(tcase, one_window_is_too_few);
    suite_add_tcase(suite, tcase);
    return suite;
}
