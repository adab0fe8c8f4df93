/* Ranks that wait for each other outside MPI by what both use: the wait is no time of their own. */
#include "load/awaited.h"
#include "synthetic.h"
#include "check_main.h"
#include "apportion/blocked_places.h"

#include <stdlib.h>

enum { WALL = 1000000000, WAITED = 600000000, STEPS = 10 };

static struct sca_profile *profile;
static struct sca_opened *opened;
static void *memory;

/* Rank 0 computes 0.4 s, and is blocked for 0.6 s by an object that rank 1 uses as well, or not. */
static void begin(bool others)
{
    struct synth *s = synth_new(2);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t lock = synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN);
    uint32_t wait = synth_site(s, lock, "sem_wait");
    uint32_t sum = synth_site(s, synth_node(s, 0, exe, 0x1140, SCA_NODE_RETURN), "MPI_Allreduce");
    uint32_t object = synth_comm(s, 77, 0, "shared object");
    uint32_t other = synth_comm(s, 78, 0, "shared object");
    synth_total(s, 0, wait, STEPS, WAITED, 0);
    synth_stalled(s, 0, 0, sum, 1, WALL, WAITED, WALL);
    synth_collective(
        s, 0,
        &(struct sca_part_collective){.site = wait, .comm = object, .root = -1, .count = STEPS});
    synth_collective(s, 1,
                     &(struct sca_part_collective){
                         .site = wait, .comm = others ? object : other, .root = -1, .count = 1});
    synth_blocked(s, 0, lock, 0, sum, STEPS, WAITED);
    struct sca_window window = {.iterations = 1,
                                .class_total = 1,
                                .nevents = 1,
                                .events = &(struct sca_event){.site = sum, .gap_ns = WALL}};
    synth_window(s, 0, &window);
    profile = synth_profile(s);
    synth_free(s);
    for (uint32_t r = 0; r < 2; r++) { /* as the runtime lists them */
        profile->ranks[r].ncomms = 1;
        profile->ranks[r].comms[0] = r && !others ? other : object;
    }
    memory = calloc(1, sca_rank_open_size(profile));
    opened = sca_rank_open_init(memory, profile);
    ck_assert_int_eq(sca_awaited_take_out(profile, opened), 0);
}

static void end(void)
{
    sca_profile_free(profile);
    free(memory);
}

START_TEST(a_wait_for_another_rank_is_taken_out)
{
    begin(true);
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    ck_assert_uint_eq(rank->intervals[0].blocked_ns, 0);
    ck_assert_uint_eq(rank->intervals[0].cpu_ns, WALL - WAITED);
    ck_assert_uint_eq(rank->sample[0].in_mpi, SCA_SAMPLE_AWAITED);
    double gap = (double)rank->windows[0].events[0].gap_ns;
    ck_assert_double_eq_tol(gap, WALL - WAITED, 0.02 * WALL);
    end();
}
END_TEST

START_TEST(a_wait_for_nobody_that_is_seen_stays)
{
    begin(false);
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    ck_assert_uint_eq(rank->intervals[0].blocked_ns, WAITED);
    ck_assert_uint_eq(rank->sample[0].in_mpi, SCA_SAMPLE_BLOCKED);
    double gap = (double)rank->windows[0].events[0].gap_ns;
    ck_assert_double_eq_tol(gap, WALL, 0.02 * WALL);
    end();
}
END_TEST

/* Two ranks come to a barrier ten times each, and so often one of both is chosen. */
static uint64_t replayed_of_barrier(uint64_t chosen)
{
    struct synth *s = synth_new(2);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t site =
        synth_site(s, synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN), "pthread_barrier_wait");
    uint32_t ranks = synth_comm(s, 77, 0, "pthread_barrier_wait");
    struct sca_op op = {.kind = SCA_OP_COLLECTIVE, .comm = ranks, .peer = -1};
    struct sca_event event = {.site = site, .nops = 1, .gap_ns = WALL};
    struct sca_window window = {
        .iterations = 1, .class_total = 1, .nevents = 1, .nops = 1, .events = &event, .ops = &op};
    for (uint32_t r = 0; r < 2; r++) {
        const struct sca_part_collective waits = {
            .site = site, .comm = ranks, .root = -1, .count = STEPS, .bytes = r ? chosen : 0};
        synth_total(s, r, site, STEPS, WAITED, 0);
        synth_interval(s, r, 0, site, STEPS, WALL - WAITED);
        synth_collective(s, r, &waits);
        synth_window(s, r, &window);
    }
    profile = synth_profile(s);
    synth_free(s);
    memory = calloc(1, sca_rank_open_size(profile));
    opened = sca_rank_open_init(memory, profile);
    ck_assert_int_eq(sca_awaited_take_out(profile, opened), 0);
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    uint64_t count = rank->collectives[0].count;
    ck_assert_uint_eq(rank->windows[0].events[0].nops, count ? 1 : 0);
    end();
    return count;
}

START_TEST(a_barrier_of_all_its_ranks_is_replayed)
{
    ck_assert_uint_eq(replayed_of_barrier(STEPS), STEPS);
    ck_assert_uint_eq(replayed_of_barrier(STEPS - 1), STEPS); /* broken off */
}
END_TEST

START_TEST(a_barrier_that_ranks_take_turns_at_is_not)
{
    ck_assert_uint_eq(replayed_of_barrier(STEPS * 2), 0);
    ck_assert_uint_eq(replayed_of_barrier(STEPS / 2), 0);
}
END_TEST

SCA_SUITE("awaited", a_wait_for_another_rank_is_taken_out, a_wait_for_nobody_that_is_seen_stays,
          a_barrier_of_all_its_ranks_is_replayed, a_barrier_that_ranks_take_turns_at_is_not)
