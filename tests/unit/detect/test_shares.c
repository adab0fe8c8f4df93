/* What ranks computed between calls, divided over vertices: the sums stay exact. */
#include "apportion/shares.h"
#include "sampled_run.h"
#include "check_main.h"

#include <math.h>

enum { RANKS = 4, NODES = 3 };

static struct sampled_run run;
static uint32_t step, work, other, first, second;
static uint32_t node_vertex[NODES];

/* A loop with two calls; node 1 is its work, node 2 other code in it. */
static void begin(void)
{
    struct model *model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t one = model_vertex(model, step, SCA_MPI, "MPI_Sendrecv", "main", 11);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 15);
    uint32_t two = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 18);
    run = (struct sampled_run){.model = model, .run = model_run(model, RANKS)};
    first = model_site(model, run.run, one);
    second = model_site(model, run.run, two);
    node_vertex[1] = work;
    node_vertex[2] = other;
}

/* All ranks go that way so often, in so many seconds. */
static void went(uint32_t previous, uint32_t site, uint64_t count, double seconds)
{
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(run.model, run.run, r, previous, site, count, step, seconds);
}

START_TEST(samples_divide_the_seconds)
{
    begin();
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled_run_add(&run, r, first, second, 1, 300);
        sampled_run_add(&run, r, first, second, 2, 100);
    }
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++) {
        double of_work = sampled_run_seconds(&run, r, first, second, work);
        double of_other = sampled_run_seconds(&run, r, first, second, other);
        ck_assert_double_eq_tol(of_work, 3, 0.02);
        ck_assert_double_eq_tol(
            of_work + of_other + sampled_run_seconds(&run, r, first, second, step), 4, 1e-9);
        ck_assert_double_eq_tol(run.divided.comp[work * RANKS + r], of_work, 1e-9);
        ck_assert_double_eq(run.divided.comp[RANKS * 0 + r], 0);
    }
    ck_assert_double_eq(run.divided.samples[work], 300.0 * RANKS);
    sampled_run_end(&run);
}
END_TEST

/* Behind the first call comes the first again, with work, or the second, with other code. Samples
 * are one of a hundred for the work, and all for the other: times are exact all the same. */
START_TEST(what_follows_a_call_is_divided_by_where_it_led)
{
    begin();
    went(first, first, 1900, 1);
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled_run_add(&run, r, first, first, 1, 10);
        sampled_run_add(&run, r, first, second, 2, 4000);
    }
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(run.divided.comp[work * RANKS + r], 1, 1e-9);
        ck_assert_double_eq_tol(run.divided.comp[other * RANKS + r], 4, 1e-9);
    }
    sampled_run_end(&run);
}
END_TEST

/* Between both calls, and around the loop: it is the loop's. */
START_TEST(without_samples_it_is_what_holds_the_way)
{
    begin();
    went(first, second, 100, 4);
    went(second, first, 99, 2);
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, first, second, step), 4, 1e-9);
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, second, first, step), 2, 1e-9);
        ck_assert_double_eq_tol(run.divided.comp[step * RANKS + r], 6, 1e-9);
    }
    sampled_run_end(&run);
}
END_TEST

/* One of four seconds. */
START_TEST(what_is_off_the_core_is_what_holds_the_way)
{
    begin();
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_blocked(run.model, run.run, r, first, second, 1, 0.1);
        sampled_run_add(&run, r, first, second, 1, 300);
    }
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, first, second, step), 1, 0.02);
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, first, second, step) +
                                    sampled_run_seconds(&run, r, first, second, work),
                                4, 1e-9);
    }
    sampled_run_end(&run);
}
END_TEST

/* One sample of one rank among 400 of each: hardly a thousandth for the others. */
START_TEST(what_others_hardly_do_is_left_out)
{
    begin();
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled_run_add(&run, r, first, second, 1, r ? 400 : 399);
        if (!r)
            sampled_run_add(&run, r, first, second, 2, 1);
    }
    sampled_run_divide(&run, node_vertex);
    ck_assert_double_gt(sampled_run_seconds(&run, 0, first, second, other), 0);
    for (uint32_t r = 1; r < RANKS; r++) {
        ck_assert_double_eq(sampled_run_seconds(&run, r, first, second, other), 0);
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, first, second, work), 4, 0.02);
    }
    sampled_run_end(&run);
}
END_TEST

START_TEST(who_did_nothing_has_no_shares)
{
    begin();
    sampled_run_divide(&run, node_vertex);
    ck_assert_uint_eq(run.divided.first_share[RANKS * run.divided.intervals.n], 0);
    sampled_run_end(&run);
    begin();
    model_work(run.model, run.run, 2, first, second, 10, step, 1);
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(run.divided.comp[step * RANKS + r], r == 2 ? 1 : 0, 1e-9);
    ck_assert_uint_eq(run.divided.first_share[RANKS * run.divided.intervals.n], 1);
    sampled_run_end(&run);
}
END_TEST

/* A call in the loop in which ranks sleep: 3 s of 4 off the core, of which it explains so much. */
static void sleeps(double explained)
{
    begin();
    uint32_t nap = model_vertex(run.model, step, SCA_CALL, "usleep", "main", 17);
    model_site(run.model, run.run, nap);
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_blocked(run.model, run.run, r, first, second, 3, 0.05);
        sampled_run_add(&run, r, first, second, 1, 100);
        sampled_run_blocked(&run, r, first, second, explained);
    }
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++) {
        double there = fmin(3, explained);
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, first, second, nap), there, 1e-9);
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, first, second, step), 3 - there, 1e-9);
        ck_assert_double_eq_tol(sampled_run_seconds(&run, r, first, second, work), 1, 1e-9);
        ck_assert_double_eq_tol(run.divided.blocked[nap * RANKS + r], there, 1e-9);
    }
    sampled_run_end(&run);
}

START_TEST(where_a_rank_sleeps_is_known)
{
    sleeps(3.3);
}
END_TEST

START_TEST(what_no_call_explains_has_no_place)
{
    sleeps(2);
}
END_TEST

/* 3 s between its own calls; another one, which makes none, has 0.5 s. */
START_TEST(what_a_thread_computes_between_its_own_calls_counts_once)
{
    begin();
    model_thread(run.model, run.run, second, 1);
    went(second, second, 100, 3);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled_run_add(&run, r, second, second, 1, 300);
        sampled_run_add(&run, r, first, 0, 2, 50);
        run.samples[r][0].thread = 1;
        run.samples[r][1].thread = 2;
    }
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(run.divided.comp[work * RANKS + r], 3, 0.02);
        ck_assert_double_eq_tol(run.divided.beside[work * RANKS + r], 0, 1e-9);
        ck_assert_double_eq_tol(run.divided.beside[other * RANKS + r], 0.5, 1e-9);
    }
    sampled_run_end(&run);
}
END_TEST

SCA_SUITE("shares", what_a_thread_computes_between_its_own_calls_counts_once,
          samples_divide_the_seconds, what_follows_a_call_is_divided_by_where_it_led,
          without_samples_it_is_what_holds_the_way, what_is_off_the_core_is_what_holds_the_way,
          what_others_hardly_do_is_left_out, who_did_nothing_has_no_shares,
          where_a_rank_sleeps_is_known, what_no_call_explains_has_no_place)
