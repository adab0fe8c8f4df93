/* Windows that the ranks cut by themselves: whether they hold the same iterations. */
#include "trace/window_cut.h"
#include "measured.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 4, MOST_OPS = 64, ROUNDS = 3, WORLD = 0, HALF = 1 };

static struct sca_replay_trace_op ops[RANKS][MOST_OPS];
static struct sca_event_sequence sequences[RANKS];
static struct sca_trace window;

static void begin(void)
{
    for (uint32_t r = 0; r < RANKS; r++)
        sequences[r] = (struct sca_event_sequence){.ops = ops[r]};
    window = (struct sca_trace){.nranks = RANKS, .sequences = sequences, .weight = 1};
}

static void add(uint32_t rank, enum sca_op_kind kind, uint32_t comm, int32_t peer, int64_t number)
{
    ck_assert_uint_lt(sequences[rank].nops, MOST_OPS);
    ops[rank][sequences[rank].nops++] = (struct sca_replay_trace_op){
        .comm = comm, .number = (uint32_t)number, .peer = peer, .kind = kind};
}

static bool fits(void)
{
    struct sca_workspace space = test_room();
    bool consistent = sca_window_cut_is_consistent(&space, &window, 1);
    sca_workspace_free(&space);
    return consistent;
}

/* A rank sends to one neighbour what is the n-th message, and gets the n-th, or one before. */
static void exchange(uint32_t rank, int32_t peer, int64_t n, int64_t late)
{
    if (peer < 0 || peer >= RANKS)
        return;
    add(rank, SCA_OP_SEND, WORLD, peer, n);
    add(rank, SCA_OP_RECV_POST, WORLD, peer, n);
    add(rank, SCA_OP_RECV, WORLD, peer, n - late);
}

/* Ranks in a line; each sees the rounds from its own first one on. */
static void line(const int64_t *first, int64_t late)
{
    begin();
    for (uint32_t r = 0; r < RANKS; r++)
        for (int64_t n = first[r]; n < first[r] + ROUNDS; n++) {
            exchange(r, (int32_t)r - 1, n, late);
            exchange(r, (int32_t)r + 1, n, late);
        }
}

START_TEST(the_same_rounds_fit)
{
    static const int64_t first[RANKS] = {7, 7, 7, 7};
    line(first, 0);
    ck_assert(fits());
    line(first, 1); /* what is under way as the window begins */
    ck_assert(fits());
}
END_TEST

START_TEST(a_rank_ahead_or_behind_does_not)
{
    for (uint32_t r = 0; r < RANKS; r++)
        for (int64_t by = -2; by <= 2; by++) {
            int64_t first[RANKS] = {7, 7, 7, 7};
            first[r] += by;
            line(first, 0);
            ck_assert(fits() == !by);
        }
}
END_TEST

static void pipeline(int64_t ahead)
{
    begin();
    for (uint32_t r = 0; r < RANKS; r++)
        for (int64_t n = 5; n < 5 + ROUNDS; n++) {
            if (r)
                add(r, SCA_OP_RECV, WORLD, (int32_t)r - 1, n + r * ahead);
            if (r + 1 < RANKS)
                add(r, SCA_OP_SEND, WORLD, (int32_t)r + 1, n + r * ahead);
        }
}

/* Who sends may be further: that is a cut, too. */
START_TEST(nothing_is_received_before_it_is_sent)
{
    pipeline(0);
    ck_assert(fits());
    pipeline(-1);
    ck_assert(fits());
    pipeline(1);
    ck_assert(!fits());
}
END_TEST

START_TEST(collectives_are_the_same_ones)
{
    for (int64_t by = -1; by <= 1; by++) {
        begin();
        for (uint32_t r = 0; r < RANKS; r++)
            for (int64_t n = 3; n < 3 + ROUNDS; n++)
                add(r, SCA_OP_COLLECTIVE, WORLD, -1, n + (r == 2 ? by : 0));
        ck_assert(fits() == !by);
    }
}
END_TEST

/* Two halves, each with a communicator of its own, and a message between them or none. */
START_TEST(what_hangs_together_in_nothing_is_not_known_to)
{
    for (int message = 0; message < 2; message++) {
        begin();
        for (uint32_t r = 0; r < RANKS; r++)
            add(r, SCA_OP_COLLECTIVE, r < RANKS / 2 ? WORLD : HALF, -1, r < RANKS / 2 ? 3 : 8);
        if (message) {
            add(1, SCA_OP_SEND, WORLD, 2, 40);
            add(2, SCA_OP_RECV, WORLD, 1, 40);
        }
        ck_assert(fits() == (message == 1));
    }
}
END_TEST

/* What comes from a rank of which nothing is known, as after an abort, is left out. */
START_TEST(peers_may_be_unknown)
{
    static const int64_t first[RANKS] = {7, 7, 7, 7};
    line(first, 0);
    add(0, SCA_OP_RECV, WORLD, -1, 100);
    ck_assert(fits());
}
END_TEST

SCA_SUITE("window cut", the_same_rounds_fit, a_rank_ahead_or_behind_does_not,
          nothing_is_received_before_it_is_sent, collectives_are_the_same_ones,
          what_hangs_together_in_nothing_is_not_known_to, peers_may_be_unknown)
