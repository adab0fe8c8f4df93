/* Which intervals are told apart by their samples. */
#include "graph/intervals.h"
#include "synthetic.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 2 };

struct run {
    struct sca_profile *profile;
    void *memory;
    struct sca_intervals intervals;
};

static uint32_t inner, outer, finalize, node;

/* Of each rank: inner -> inner, inner -> outer, outer -> inner, outer -> finalize. */
static struct synth *loops(void)
{
    struct synth *s = synth_new(RANKS);
    uint32_t exe = synth_module(s, "/tmp/loops", "00ff");
    node = synth_node(s, 0, exe, 0x1130, SCA_NODE_PC);
    inner = synth_site(s, synth_node(s, 0, exe, 0x1140, SCA_NODE_RETURN), "MPI_Allreduce");
    outer = synth_site(s, synth_node(s, 0, exe, 0x1150, SCA_NODE_RETURN), "MPI_Barrier");
    finalize = synth_site(s, synth_node(s, 0, exe, 0x1160, SCA_NODE_RETURN), "MPI_Finalize");
    for (uint32_t r = 0; r < RANKS; r++) {
        synth_interval(s, r, inner, inner, 90, 1000000);
        synth_interval(s, r, inner, outer, 10, 5000000);
        synth_interval(s, r, outer, inner, 9, 1000000);
        synth_interval(s, r, outer, finalize, 1, 1000000);
    }
    return s;
}

static struct run number(struct synth *s)
{
    struct run run = {.profile = synth_profile(s)};
    run.memory = calloc(1, sca_rank_open_size(run.profile));
    ck_assert_int_eq(sca_intervals_open(&run.intervals, run.profile,
                                        sca_rank_open_init(run.memory, run.profile)),
                     0);
    synth_free(s);
    return run;
}

static void end(struct run *run)
{
    sca_intervals_free(&run->intervals);
    free(run->memory);
    sca_profile_free(run->profile);
}

START_TEST(an_interval_with_samples_of_its_own_is_one_interval)
{
    struct synth *s = loops();
    synth_sample_to(s, 0, node, inner, inner, 20, 0);
    synth_sample_to(s, 1, node, inner, outer, 100, 0);
    struct run run = number(s);
    ck_assert_uint_eq(run.intervals.n, 4);
    ck_assert_uint_lt(sca_intervals_number(&run.intervals, inner, inner),
                      sca_intervals_number(&run.intervals, inner, outer));
    ck_assert_uint_lt(sca_intervals_number(&run.intervals, inner, outer),
                      sca_intervals_number(&run.intervals, outer, inner));
    ck_assert_uint_eq(sca_intervals_number(&run.intervals, inner, finalize), SCA_NONE);
    ck_assert_uint_eq(sca_intervals_number(&run.intervals, inner, 0), SCA_NONE);
    end(&run);
}
END_TEST

/* Such as of an older profile, or of threads. The others are told apart all the same. */
START_TEST(unknown_samples_make_one_interval_of_what_follows_a_call)
{
    struct synth *s = loops();
    synth_sample(s, 0, node, inner, false, 20);
    synth_sample_to(s, 1, node, inner, outer, 100, 0);
    synth_sample_to(s, 1, node, outer, inner, 5, 0);
    struct run run = number(s);
    ck_assert_uint_eq(run.intervals.n, 3);
    ck_assert_uint_eq(sca_intervals_number(&run.intervals, inner, inner),
                      sca_intervals_number(&run.intervals, inner, outer));
    ck_assert_uint_eq(sca_intervals_number(&run.intervals, inner, inner),
                      sca_intervals_number(&run.intervals, inner, 0));
    ck_assert_uint_ne(sca_intervals_number(&run.intervals, outer, inner),
                      sca_intervals_number(&run.intervals, outer, finalize));
    end(&run);
}
END_TEST

/* The last sample of a process that died, or samples inside MPI. */
START_TEST(few_unknown_ones_change_nothing)
{
    struct synth *s = loops();
    synth_sample(s, 0, node, inner, false, 5);
    synth_sample(s, 0, node, inner, true, 5000);
    synth_sample_to(s, 1, node, inner, outer, 100, 0);
    struct run run = number(s);
    ck_assert_uint_eq(run.intervals.n, 4);
    end(&run);
}
END_TEST

SCA_SUITE("intervals", an_interval_with_samples_of_its_own_is_one_interval,
          unknown_samples_make_one_interval_of_what_follows_a_call, few_unknown_ones_change_nothing)
