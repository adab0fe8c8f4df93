/* What ranks computed between calls, divided over vertices: the sums stay exact. */
#include "apportion/shares.h"
#include "apportion/metrics.h"
#include "synthetic_ppg.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 4, NODES = 3, MOST_SAMPLES = 8 };

static struct model *model;
static uint32_t step, work, other, in_run, first, second;
static uint32_t node_vertex[NODES];
static struct sca_part_sample samples[RANKS][MOST_SAMPLES];
static uint32_t nsamples[RANKS];
static struct sca_ppg_run run;
static struct sca_arena arena;

/* A loop with two calls; node 1 is its work, node 2 other code in it. */
static void begin(void)
{
    model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t one = model_vertex(model, step, SCA_MPI, "MPI_Sendrecv", "main", 11);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 15);
    uint32_t two = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 18);
    in_run = model_run(model, RANKS);
    first = model_site(model, in_run, one);
    second = model_site(model, in_run, two);
    node_vertex[1] = work;
    node_vertex[2] = other;
    for (uint32_t r = 0; r < RANKS; r++)
        nsamples[r] = 0;
}

/* All ranks go that way so often, in so many seconds. */
static void went(uint32_t previous, uint32_t site, uint64_t count, double seconds)
{
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(model, in_run, r, previous, site, count, step, seconds);
}

/* One of them has so many samples on it, of 10 ms each. */
static void sampled(uint32_t rank, uint32_t previous, uint32_t site, uint32_t node, uint64_t count)
{
    ck_assert_uint_lt(nsamples[rank], MOST_SAMPLES);
    samples[rank][nsamples[rank]++] =
        (struct sca_part_sample){.node = node, .previous = previous, .next = site, .count = count};
}

static void build(void)
{
    const struct sca_ppg *ppg = model_ppg(model);
    struct sca_profile *profile = (struct sca_profile *)ppg->runs[in_run].profile;
    for (uint32_t r = 0; r < RANKS; r++) {
        profile->ranks[r].sample = samples[r];
        profile->ranks[r].nsamples = nsamples[r];
        profile->ranks[r].sample_period_ns = 10000000;
        profile->ranks[r].sample_worth = 1;
    }
    run = (struct sca_ppg_run){.profile = profile,
                               .nranks = RANKS,
                               .site_vertex = ppg->runs[in_run].site_vertex,
                               .node_vertex = node_vertex};
    arena = (struct sca_arena){0};
    ck_assert_int_eq(sca_metrics_build(&arena, ppg, &run), 0);
}

static void end(void)
{
    sca_intervals_free(&run.intervals);
    free(run.shares);
    sca_arena_free(&arena);
    model_free(model);
}

/* Of a rank on a way; 0: it has no such share. */
static double seconds_of(uint32_t rank, uint32_t previous, uint32_t site, uint32_t vertex)
{
    uint32_t interval = sca_intervals_number(&run.intervals, previous, site);
    const uint32_t *at = &run.first_share[rank * run.intervals.n + interval];
    double seconds = 0;
    for (uint32_t i = at[0]; i < at[1]; i++)
        seconds += run.shares[i].vertex == vertex ? run.shares[i].seconds : 0;
    return seconds;
}

START_TEST(samples_divide_the_seconds)
{
    begin();
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled(r, first, second, 1, 300);
        sampled(r, first, second, 2, 100);
    }
    build();
    for (uint32_t r = 0; r < RANKS; r++) {
        double of_work = seconds_of(r, first, second, work);
        double of_other = seconds_of(r, first, second, other);
        ck_assert_double_eq_tol(of_work, 3, 0.02);
        ck_assert_double_eq_tol(of_work + of_other + seconds_of(r, first, second, step), 4, 1e-9);
        ck_assert_double_eq_tol(run.comp[work * RANKS + r], of_work, 1e-9);
        ck_assert_double_eq(run.comp[RANKS * 0 + r], 0);
    }
    ck_assert_double_eq(run.samples[work], 300.0 * RANKS);
    end();
}
END_TEST

/* Between both calls, and around the loop: it is the loop's. */
START_TEST(without_samples_it_is_what_holds_the_way)
{
    begin();
    went(first, second, 100, 4);
    went(second, first, 99, 2);
    build();
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(seconds_of(r, first, second, step), 4, 1e-9);
        ck_assert_double_eq_tol(seconds_of(r, second, first, step), 2, 1e-9);
        ck_assert_double_eq_tol(run.comp[step * RANKS + r], 6, 1e-9);
    }
    end();
}
END_TEST

/* One of four seconds. */
START_TEST(what_is_off_the_core_is_what_holds_the_way)
{
    begin();
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_blocked(model, in_run, r, first, second, 1, 0.1);
        sampled(r, first, second, 1, 300);
    }
    build();
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(seconds_of(r, first, second, step), 1, 0.02);
        ck_assert_double_eq_tol(
            seconds_of(r, first, second, step) + seconds_of(r, first, second, work), 4, 1e-9);
    }
    end();
}
END_TEST

/* One sample of one rank among 400 of each: hardly a thousandth for the others. */
START_TEST(what_others_hardly_do_is_left_out)
{
    begin();
    went(first, second, 100, 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled(r, first, second, 1, r ? 400 : 399);
        if (!r)
            sampled(r, first, second, 2, 1);
    }
    build();
    ck_assert_double_gt(seconds_of(0, first, second, other), 0);
    for (uint32_t r = 1; r < RANKS; r++) {
        ck_assert_double_eq(seconds_of(r, first, second, other), 0);
        ck_assert_double_eq_tol(seconds_of(r, first, second, work), 4, 0.02);
    }
    end();
}
END_TEST

START_TEST(who_did_nothing_has_no_shares)
{
    begin();
    build();
    ck_assert_uint_eq(run.first_share[RANKS * run.intervals.n], 0);
    end();
    begin();
    model_work(model, in_run, 2, first, second, 10, step, 1);
    build();
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(run.comp[step * RANKS + r], r == 2 ? 1 : 0, 1e-9);
    ck_assert_uint_eq(run.first_share[RANKS * run.intervals.n], 1);
    end();
}
END_TEST

SCA_SUITE("shares", samples_divide_the_seconds, without_samples_it_is_what_holds_the_way,
          what_is_off_the_core_is_what_holds_the_way, what_others_hardly_do_is_left_out,
          who_did_nothing_has_no_shares)
