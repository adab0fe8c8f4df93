/* The interval into a loop, or out of it, has few samples: those of its rounds tell what is there.
 */
#include "apportion/other_rounds.h"
#include "sampled_run.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 2, ROUNDS = 100 };

static struct sampled_run run;
static uint32_t start, one, finish;                     /* sites */
static uint32_t before, step, work, extra, tail, after; /* vertices; nodes are their numbers */
static uint32_t node_vertex[16];

/* A call; then a loop with work, extra work of one rank, a call, more work; then a last call. */
static void begin(uint32_t kind)
{
    struct model *model = model_new();
    uint32_t v = model_vertex(model, 0, SCA_MPI, "MPI_Bcast", "main", 5);
    before = model_vertex(model, 0, SCA_LOOP, "", "main", 7);
    step = model_vertex(model, 0, kind, "", "main", 10);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    extra = model_vertex(model, step, SCA_LOOP, "", "main", 14);
    uint32_t in_loop = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 16);
    tail = model_vertex(model, step, SCA_LOOP, "", "main", 18);
    after = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t last = model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 25);
    run = (struct sampled_run){.model = model, .run = model_run(model, RANKS)};
    start = model_site(model, run.run, v);
    one = model_site(model, run.run, in_loop);
    finish = model_site(model, run.run, last);
    for (uint32_t k = 1; k < 16; k++)
        node_vertex[k] = k;
}

/* The usual ranks take so many seconds there, the slow one so many. */
static void went(uint32_t previous, uint32_t site, uint64_t count, double usual, double slow)
{
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(run.model, run.run, r, previous, site, count, step, r == SLOW ? slow : usual);
}

/* A round has work for a second and the tail for another, of all rounds; on one rank the extra work
 * takes six more. */
static void rounds(void)
{
    went(one, one, ROUNDS, 2, 8);
    for (uint32_t r = 0; r < RANKS; r++) {
        sampled_run_add(&run, r, one, one, work, 100);
        sampled_run_add(&run, r, one, one, tail, 100);
    }
    sampled_run_add(&run, SLOW, one, one, extra, 600);
}

/* The part of what a rank takes on a way. */
static double part_of(uint32_t rank, uint32_t previous, uint32_t site, uint32_t vertex)
{
    double all = 0;
    for (uint32_t v = 0; v < model_graph(run.model)->nvertices; v++)
        all += sampled_run_seconds(&run, rank, previous, site, v);
    return sampled_run_seconds(&run, rank, previous, site, vertex) / all;
}

/* Its first round takes as long as any. Nothing of the tail is in it. */
START_TEST(the_first_round_is_as_the_others)
{
    for (int one_sample = 0; one_sample < 2; one_sample++) {
        begin(SCA_LOOP);
        rounds();
        went(start, one, 1, 0.01, 0.07);
        if (one_sample)
            sampled_run_add(&run, 0, start, one, work, 1);
        sampled_run_divide(&run, node_vertex);
        ck_assert_double_gt(part_of(0, start, one, work), 0.9);
        for (uint32_t r = 0; r < RANKS; r++)
            ck_assert_double_eq(part_of(r, start, one, tail), 0);
        sampled_run_end(&run);
    }
}
END_TEST

/* After the last call comes the tail, and no work. */
START_TEST(what_follows_the_last_round_is_as_in_the_others)
{
    begin(SCA_LOOP);
    rounds();
    went(one, finish, 1, 0.01, 0.01);
    sampled_run_divide(&run, node_vertex);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_gt(part_of(r, one, finish, tail), 0.95);
        ck_assert_double_eq(part_of(r, one, finish, work), 0);
    }
    sampled_run_end(&run);
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
            sampled_run_add(&run, 0, start, one, before, 1);
        sampled_run_divide(&run, node_vertex);
        ck_assert_double_eq_tol(part_of(1, start, one, one_sample ? before : 0), 0.9, 0.05);
        ck_assert_double_eq_tol(part_of(1, start, one, work), 0.1, 0.05);
        sampled_run_end(&run);
    }
}
END_TEST

START_TEST(enough_samples_speak_for_themselves)
{
    begin(SCA_LOOP);
    rounds();
    went(start, one, 1, 0.2, 0.2);
    for (uint32_t r = 0; r < RANKS; r++)
        sampled_run_add(&run, r, start, one, before, 20);
    sampled_run_divide(&run, node_vertex);
    ck_assert_double_gt(part_of(0, start, one, before), 0.99);
    sampled_run_end(&run);
}
END_TEST

/* Only a loop has rounds: what leads back without one is no round. */
START_TEST(other_ways_to_the_same_call_tell_nothing)
{
    begin(SCA_BRANCH);
    rounds();
    went(start, one, 1, 0.01, 0.07);
    sampled_run_divide(&run, node_vertex);
    ck_assert_double_eq(part_of(SLOW, start, one, 0), 1);
    sampled_run_end(&run);
}
END_TEST

SCA_SUITE("other_rounds", the_first_round_is_as_the_others,
          what_follows_the_last_round_is_as_in_the_others, what_takes_longer_is_not_the_rounds,
          enough_samples_speak_for_themselves, other_ways_to_the_same_call_tell_nothing)
