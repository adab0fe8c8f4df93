/* Threads beside the first that call MPI: their time is counted once, where the first waits. */
#include "load/tracks.h"
#include "synthetic.h"
#include "check_main.h"

#include <stdlib.h>

enum { MS = 1000000, STEPS = 100, FEW = 2 };

static struct sca_profile *profile;
static struct sca_opened *opened;
static void *memory;
static uint32_t own, end, other, place; /* sites; a node of the other thread's */

/* The first thread exchanges so often, and computes 1 ms before each; thread 1 does 100 times, and
 * computes 3 ms. Then the first waits 200 ms for what that one computes, and 50 ms more. */
static void begin(uint64_t calls)
{
    struct synth *s = synth_new(1);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t main_ = synth_node(s, 0, exe, 0x1000, SCA_NODE_RETURN);
    uint32_t start = synth_node(s, 0, exe, 0x2000, SCA_NODE_RETURN);
    own = synth_site(s, synth_node(s, main_, exe, 0x1010, SCA_NODE_RETURN), "MPI_Sendrecv");
    end = synth_site(s, synth_node(s, main_, exe, 0x1020, SCA_NODE_RETURN), "MPI_Finalize");
    other = synth_site(s, synth_node(s, start, exe, 0x2010, SCA_NODE_RETURN), "MPI_Sendrecv");
    place = synth_node(s, start, exe, 0x2020, SCA_NODE_PC);
    uint32_t join = synth_node(s, main_, exe, 0x1030, SCA_NODE_RETURN);
    synth_site(s, join, "pthread_join");
    synth_interval(s, 0, 0, own, 1, 1 * MS);
    synth_interval(s, 0, own, own, calls, calls * MS);
    synth_interval(s, 0, other, other, STEPS, 3ull * STEPS * MS);
    synth_stalled(s, 0, own, end, 1, 250 * MS, 250 * MS, 250 * MS);
    synth_record(s, 0,
                 &(struct sca_part_sample){
                     .node = place, .previous = other, .thread = 1, .next = other, .count = 300});
    synth_record(s, 0,
                 &(struct sca_part_sample){.node = join,
                                           .previous = own,
                                           .in_mpi = SCA_SAMPLE_THREAD,
                                           .thread = 1,
                                           .next = end,
                                           .count = 1,
                                           .length_ns = 200 * MS});
    profile = synth_profile(s);
    synth_free(s);
    memory = calloc(1, sca_rank_open_size(profile));
    opened = sca_rank_open_init(memory, profile);
    ck_assert_int_eq(sca_tracks_fold(profile, opened), 0);
}

static void stop(void)
{
    sca_profile_free(profile);
    free(memory);
}

static const struct sca_part_interval *interval(uint32_t previous, uint32_t site)
{
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].previous == previous && rank->intervals[i].site == site)
            return &rank->intervals[i];
    return NULL;
}

static const struct sca_part_sample *sample_of_thread(void)
{
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (rank->sample[i].in_mpi == SCA_SAMPLE_COMPUTES && rank->sample[i].thread == 1)
            return &rank->sample[i];
    return NULL;
}

START_TEST(what_a_thread_computes_is_the_ranks_where_the_first_waits_for_it)
{
    begin(STEPS);
    ck_assert_ptr_null(interval(other, other));
    ck_assert_ptr_nonnull(interval(own, own));
    const struct sca_part_interval *wait = interval(own, end);
    ck_assert_uint_eq(wait->cpu_ns, 200 * MS);
    ck_assert_uint_eq(wait->blocked_ns, 0); /* that one waited in MPI for 50 ms */
    const struct sca_part_sample *sample = sample_of_thread();
    ck_assert_uint_eq(sample->node, place);
    ck_assert_uint_eq(sample->previous, own);
    ck_assert_uint_eq(sample->next, end);
    ck_assert_uint_eq(sample->count, 300);
    stop();
}
END_TEST

START_TEST(a_rank_that_leaves_mpi_to_another_thread_stays_as_it_is)
{
    begin(FEW);
    ck_assert_uint_eq(interval(other, other)->count, STEPS);
    ck_assert_uint_eq(interval(own, end)->blocked_ns, 250 * MS);
    ck_assert_uint_eq(sample_of_thread()->previous, other);
    stop();
}
END_TEST

SCA_SUITE("tracks", what_a_thread_computes_is_the_ranks_where_the_first_waits_for_it,
          a_rank_that_leaves_mpi_to_another_thread_stays_as_it_is)
