#include "arena/arena.h"
#include "windows/window_choice.h"
#include "windows/window_store.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 4, ITERATIONS = 4000, SLOW = 100, SIZE = 100 };

static unsigned kinds = 1;
static uint32_t first_size = SIZE;
static uint64_t further; /* that windows of rank 1 go */

static bool is_slow(unsigned n)
{
    return n % SLOW == SLOW / 2;
}

/* As rank `rank` sees a run: every hundredth iteration has ten times the work, on one rank; how
 * long iterations take differs by chance, and from rank to rank. */
static void run_as(unsigned rank, struct sca_candidates *list)
{
    static const char events[250 << 10];
    unsigned short noise[3] = {(unsigned short)rank, 1, 2};
    sca_arena_close();
    ck_assert_int_ge(sca_arena_open(NULL, rank, RANKS), 0);
    sca_window_store_begin();
    for (unsigned n = 0; n < ITERATIONS; n++) {
        uint64_t longest = is_slow(n) ? 10000000 : 1000000;
        uint64_t own = is_slow(n) && rank ? 1000000 : longest;
        uint64_t duration = longest + (uint64_t)(erand48(noise) * 3000000);
        duration *= n ? 1 : first_size / SIZE;
        struct sca_part_window window = {.iteration = 4 * n,
                                         .iterations = 4,
                                         .duration_class = 63 - (uint32_t)__builtin_clzll(duration),
                                         .kept = SCA_KEPT};
        if (sca_window_store_wants(window.iteration, window.duration_class)) {
            uint64_t end = window.iteration + 4 + (rank == 1 ? further : 0);
            sca_window_store_keep(&window, events, n ? SIZE : first_size,
                                  (struct sca_window_facts){own, n % kinds, end});
        }
    }
    sca_window_store_end();
    sca_window_choice_find(list);
    ck_assert_uint_gt(list->count, 64);
}

/* The run as seen by all; then rank 0's arena is the one at hand. */
static void choose(uint32_t ranks, struct sca_chosen *chosen)
{
    struct sca_candidates sum, other;
    run_as(RANKS - 1, &sum);
    for (unsigned rank = RANKS - 1; rank-- > 0;) {
        run_as(rank, &other);
        sca_window_choice_join(&other, &sum);
        sum = other;
    }
    sca_window_choice_make(&sum, ranks, chosen);
}

static double weight_of(const struct sca_chosen *chosen, unsigned i)
{
    unsigned same = 0;
    for (unsigned k = 0; k < chosen->count; k++)
        same += chosen->window[k].stratum == chosen->window[i].stratum;
    return (double)chosen->window[i].total / same;
}

START_TEST(what_is_chosen_stands_for_the_run)
{
    struct sca_chosen chosen;
    double all = 0, slow = 0;
    choose(RANKS, &chosen);
    ck_assert_uint_eq(chosen.count, SCA_MOST_CHOSEN);
    for (unsigned i = 0; i < chosen.count; i++) {
        all += weight_of(&chosen, i);
        slow += is_slow((unsigned)chosen.window[i].iteration / 4) ? weight_of(&chosen, i) : 0;
    }
    ck_assert_double_eq_tol(all, ITERATIONS, 2);
    ck_assert_double_eq_tol(slow, ITERATIONS / SLOW, ITERATIONS / SLOW / 4);
}
END_TEST

static void expect_kinds(unsigned n, double most)
{
    struct sca_chosen chosen;
    double all[ITERATIONS] = {0};
    kinds = n;
    choose(RANKS, &chosen);
    for (unsigned i = 0; i < chosen.count; i++)
        all[chosen.window[i].iteration / 4 % n] += weight_of(&chosen, i);
    for (unsigned k = 0; k < n; k++)
        ck_assert_double_eq_tol(all[k], ITERATIONS / (double)n, most);
}

/* Windows that begin in different parts of an iteration. */
START_TEST(no_part_of_an_iteration_is_missing)
{
    expect_kinds(3, ITERATIONS / 3.0 / 3);
    expect_kinds(5, ITERATIONS / 5.0 / 2);
}
END_TEST

START_TEST(kinds_that_never_come_again_tell_nothing)
{
    kinds = ITERATIONS;
    struct sca_chosen chosen;
    double all = 0;
    choose(RANKS, &chosen);
    ck_assert_uint_eq(chosen.count, SCA_MOST_CHOSEN);
    for (unsigned i = 0; i < chosen.count; i++) {
        ck_assert_uint_lt(chosen.window[i].stratum, 64);
        all += weight_of(&chosen, i);
    }
    ck_assert_double_eq_tol(all, ITERATIONS, 2);
}
END_TEST

START_TEST(the_others_leave_the_arena)
{
    struct sca_chosen chosen;
    choose(RANKS, &chosen);
    sca_window_choice_apply(&chosen);
    const struct sca_part_window *windows = sca_arena_table(SCA_T_WINDOWS);
    ck_assert_uint_eq(sca_arena_count(SCA_T_WINDOWS), chosen.count);
    ck_assert_uint_eq(sca_arena_count(SCA_T_EVENTS), chosen.count * SIZE);
    for (unsigned i = 0; i < chosen.count; i++) {
        ck_assert_uint_eq(windows[i].iteration, chosen.window[i].iteration);
        ck_assert_uint_eq(windows[i].class_total, chosen.window[i].total);
        ck_assert_uint_eq(windows[i].events_offset, i * SIZE);
    }
}
END_TEST

/* As if each of these windows had come from so many ranks. */
START_TEST(many_ranks_share_the_bytes)
{
    struct sca_candidates list;
    struct sca_chosen chosen;
    double all = 0;
    run_as(0, &list);
    for (unsigned i = 0; i < list.count; i++)
        list.window[i].bytes = 40 << 10;
    sca_window_choice_make(&list, 128, &chosen);
    ck_assert_uint_eq(chosen.count, 3);
    for (unsigned i = 0; i < chosen.count; i++)
        all += weight_of(&chosen, i);
    ck_assert_double_eq_tol(all, ITERATIONS, 2);
}
END_TEST

/* One that has almost all the bytes would leave no room for others, and then has too many itself.
 */
START_TEST(a_large_window_is_not_there_in_place_of_many)
{
    struct sca_candidates list;
    struct sca_chosen chosen;
    run_as(0, &list);
    for (unsigned i = 0; i < list.count; i++)
        list.window[i].bytes = 100 << 10;
    list.window[0].bytes = 480 << 10;
    list.window[0].own_ns = 1000000000;
    sca_window_choice_make(&list, RANKS, &chosen);
    ck_assert_uint_eq(chosen.count, 5); /* of 100 KiB each in 512 */
    for (unsigned i = 0; i < chosen.count; i++)
        ck_assert_uint_ne(chosen.window[i].iteration, list.window[0].iteration);
}
END_TEST

/* Nor does it push the others out on its rank. */
START_TEST(a_large_window_goes_first)
{
    struct sca_candidates list;
    first_size = 250 << 10;
    run_as(0, &list);
    for (unsigned i = 0; i < list.count; i++)
        ck_assert_uint_ne(list.window[i].iteration, 0);
}
END_TEST

START_TEST(nothing_in_common_is_no_window)
{
    struct sca_candidates list, none = {.count = 0};
    struct sca_chosen chosen;
    run_as(0, &list);
    sca_window_choice_join(&list, &none);
    sca_window_choice_make(&list, RANKS, &chosen);
    ck_assert_uint_eq(chosen.count, 0);
    sca_window_choice_apply(&chosen);
    ck_assert_uint_eq(sca_arena_count(SCA_T_WINDOWS), 0);
}
END_TEST

START_TEST(what_ends_elsewhere_is_another_window)
{
    struct sca_chosen chosen;
    further = 1;
    choose(RANKS, &chosen);
    ck_assert_uint_eq(chosen.count, 0);
}
END_TEST

SCA_SUITE("window choice", what_is_chosen_stands_for_the_run, no_part_of_an_iteration_is_missing,
          kinds_that_never_come_again_tell_nothing, the_others_leave_the_arena,
          many_ranks_share_the_bytes, a_large_window_is_not_there_in_place_of_many,
          a_large_window_goes_first, nothing_in_common_is_no_window,
          what_ends_elsewhere_is_another_window)
