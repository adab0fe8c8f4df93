/* The interval into a loop, or out of it, has few samples: those of its rounds tell what is there.
 */
#include "apportion/other_rounds.h"
#include "apportion/metrics.h"
#include "synthetic_ppg.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 8, SLOW = 2, ROUNDS = 100, MOST_SAMPLES = 8 };

static struct model *model;
static uint32_t in_run, start, one, finish;             /* sites */
static uint32_t before, step, work, extra, tail, after; /* vertices; nodes are their numbers */
static uint32_t node_vertex[16];
static struct sca_part_sample samples[RANKS][MOST_SAMPLES];
static uint32_t nsamples[RANKS];
static struct sca_ppg_run run;
static struct sca_arena arena;

/* A call; then a loop with work, extra work of one rank, a call, more work; then a last call. */
static void begin(uint32_t kind)
{
    model = model_new();
    uint32_t v = model_vertex(model, 0, SCA_MPI, "MPI_Bcast", "main", 5);
    before = model_vertex(model, 0, SCA_LOOP, "", "main", 7);
    step = model_vertex(model, 0, kind, "", "main", 10);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    extra = model_vertex(model, step, SCA_LOOP, "", "main", 14);
    uint32_t in_loop = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 16);
    tail = model_vertex(model, step, SCA_LOOP, "", "main", 18);
    after = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t last = model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 25);
    in_run = model_run(model, RANKS);
    start = model_site(model, in_run, v);
    one = model_site(model, in_run, in_loop);
    finish = model_site(model, in_run, last);
    for (uint32_t k = 1; k < 16; k++)
        node_vertex[k] = k;
    for (uint32_t r = 0; r < RANKS; r++)
        nsamples[r] = 0;
}

/* The usual ranks take so many seconds there, the slow one so many. */
static void went(uint32_t previous, uint32_t site, uint64_t count, double usual, double slow)
{
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(model, in_run, r, previous, site, count, step, r == SLOW ? slow : usual);
}

static void sampled(uint32_t rank, uint32_t previous, uint32_t site, uint32_t node, uint64_t count)
{
    ck_assert_uint_lt(nsamples[rank], MOST_SAMPLES);
    samples[rank][nsamples[rank]++] =
        (struct sca_part_sample){.node = node, .previous = previous, .next = site, .count = count};
}

/* A round has work for a second and the tail for another, of all rounds; on one rank the extra work
 * takes six more. */
static void rounds(void)
{
    went(one, one, ROUNDS, 2, 8);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled(r, one, one, work, 100);
        sampled(r, one, one, tail, 100);
    }
    sampled(SLOW, one, one, extra, 600);
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

/* The part of what a rank takes on a way. */
static double part_of(uint32_t rank, uint32_t previous, uint32_t site, uint32_t vertex)
{
    uint32_t interval = sca_intervals_number(&run.intervals, previous, site);
    const uint32_t *at = &run.first_share[rank * run.intervals.n + interval];
    double there = 0, all = 0;
    for (uint32_t i = at[0]; i < at[1]; i++) {
        all += run.shares[i].seconds;
        there += run.shares[i].vertex == vertex ? run.shares[i].seconds : 0;
    }
    return there / all;
}

/* Its first round takes as long as any, as much longer on the slow rank, which has no sample there:
 * most of that is told. Nothing of the tail is in
 * it. */
START_TEST(the_first_round_is_as_the_others)
{
    for (int one_sample = 0; one_sample < 2; one_sample++) {
        begin(SCA_LOOP);
        rounds();
        went(start, one, 1, 0.01, 0.07);
        if (one_sample)
            sampled(0, start, one, work, 1);
        build();
        ck_assert_double_gt(part_of(SLOW, start, one, extra), 0.5);
        ck_assert_double_gt(part_of(0, start, one, work), 0.9);
        for (uint32_t r = 0; r < RANKS; r++)
            ck_assert_double_eq(part_of(r, start, one, tail), 0);
        end();
    }
}
END_TEST

/* After the last call comes the tail, and no work. */
START_TEST(what_follows_the_last_round_is_as_in_the_others)
{
    begin(SCA_LOOP);
    rounds();
    went(one, finish, 1, 0.01, 0.01);
    build();
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_gt(part_of(r, one, finish, tail), 0.95);
        ck_assert_double_eq(part_of(r, one, finish, work), 0);
    }
    end();
}
END_TEST

/* Of ten times as long a way a tenth is the round's: what has no samples is the structure's, else
 * it is where they are, however few. */
START_TEST(what_takes_longer_is_not_the_rounds)
{
    for (int one_sample = 0; one_sample < 2; one_sample++) {
        begin(SCA_LOOP);
        rounds();
        went(start, one, 1, 0.1, 0.16);
        if (one_sample)
            sampled(0, start, one, before, 1);
        build();
        ck_assert_double_eq_tol(part_of(1, start, one, one_sample ? before : 0), 0.9, 0.05);
        ck_assert_double_eq_tol(part_of(1, start, one, work), 0.1, 0.05);
        end();
    }
}
END_TEST

START_TEST(enough_samples_speak_for_themselves)
{
    begin(SCA_LOOP);
    rounds();
    went(start, one, 1, 0.2, 0.2);
    for (uint32_t r = 0; r < RANKS; r++)
        sampled(r, start, one, before, 20);
    build();
    ck_assert_double_gt(part_of(0, start, one, before), 0.99);
    end();
}
END_TEST

/* Only a loop has rounds: what leads back without one is no round. */
START_TEST(other_ways_to_the_same_call_tell_nothing)
{
    begin(SCA_BRANCH);
    rounds();
    went(start, one, 1, 0.01, 0.07);
    build();
    ck_assert_double_eq(part_of(SLOW, start, one, 0), 1);
    end();
}
END_TEST

SCA_SUITE("other_rounds", the_first_round_is_as_the_others,
          what_follows_the_last_round_is_as_in_the_others, what_takes_longer_is_not_the_rounds,
          enough_samples_speak_for_themselves, other_ways_to_the_same_call_tell_nothing)
