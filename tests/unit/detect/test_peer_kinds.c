/* Kinds of peers: the way with the fewest wins, and no more are counted than tell which that is. */
#include "activity/peer_kinds.h"
#include "check_main.h"

enum { RANKS = 96, CALLS = 4, MOST = 20 };

static jmp_buf out_of_memory;
static struct sca_workspace space;

/* Call 0: one kind by distance; 1: two by bits, one of them 0; 2: too many each way; 3: as many as
 * are kept by number, one more by distance. */
static uint64_t hash_of(uint32_t rank, size_t call, int way)
{
    const uint64_t seen[CALLS][SCA_PEER_WAYS] = {{7, 100 + rank, 200 + rank},
                                                 {300 + rank, rank % 2, 1 + rank % 3},
                                                 {1 + rank, 100 + rank, 200 + rank},
                                                 {rank % (MOST + 1), 1 + rank, rank % MOST}};
    return seen[call][way];
}

/* By distance first; the others no further than needed. */
static void add_all(struct sca_peer_kinds *kinds, bool backwards)
{
    for (uint32_t r = 0; r < RANKS; r++)
        for (size_t call = 0; call < CALLS; call++)
            sca_peer_kinds_add(kinds, call, SCA_BY_DISTANCE, hash_of(r, call, SCA_BY_DISTANCE),
                               kinds->most);
    for (uint32_t i = 0; i < RANKS; i++)
        for (size_t call = 0; call < CALLS; call++) {
            uint32_t r = backwards ? RANKS - 1 - i : i;
            uint32_t limit = sca_peer_kinds_limit(kinds, call);
            for (int way = SCA_BY_BITS; limit && way < SCA_BY_STEPS; way++)
                sca_peer_kinds_add(kinds, call, way, hash_of(r, call, way), limit);
        }
}

static struct sca_peer_kinds begin(uint32_t most)
{
    struct sca_peer_kinds kinds;
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    if (setjmp(out_of_memory))
        ck_abort_msg("out of memory");
    sca_peer_kinds_begin(&space, CALLS, SCA_BY_STEPS, most, &kinds);
    return kinds;
}

START_TEST(fewest_kinds_win)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        struct sca_peer_kinds kinds = begin(MOST);
        add_all(&kinds, backwards);
        ck_assert_int_eq(sca_peer_kinds_way(&kinds, 0), SCA_BY_DISTANCE);
        ck_assert_int_eq(sca_peer_kinds_way(&kinds, 1), SCA_BY_BITS);
        ck_assert_int_eq(sca_peer_kinds_way(&kinds, 3), SCA_BY_NUMBER);
        ck_assert_uint_eq(kinds.seen[1][SCA_BY_BITS].n, 2);
        sca_workspace_free(&space);
    }
}
END_TEST

START_TEST(too_many_kinds_are_said_and_can_be_counted)
{
    struct sca_peer_kinds kinds = begin(MOST);
    add_all(&kinds, false);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 2), SCA_PEER_WAYS);
    sca_workspace_free(&space);
    kinds = begin(UINT32_MAX);
    add_all(&kinds, false);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 2), SCA_BY_DISTANCE);
    ck_assert_uint_eq(kinds.seen[2][SCA_BY_DISTANCE].n, RANKS);
    sca_workspace_free(&space);
}
END_TEST

/* A way with as many kinds as there are by distance already cannot win. */
START_TEST(a_call_is_closed_once_its_way_is_known)
{
    struct sca_peer_kinds kinds = begin(UINT32_MAX);
    for (uint64_t kind = 1; kind <= 3; kind++)
        sca_peer_kinds_add(&kinds, 0, SCA_BY_DISTANCE, kind, kinds.most);
    sca_peer_kinds_add(&kinds, 1, SCA_BY_DISTANCE, 1, kinds.most);
    ck_assert_uint_eq(sca_peer_kinds_limit(&kinds, 0), 2);
    ck_assert_uint_eq(sca_peer_kinds_limit(&kinds, 1), 0);
    for (uint64_t kind = 1; kind <= 3; kind++)
        for (int way = SCA_BY_BITS; way < SCA_BY_STEPS; way++)
            sca_peer_kinds_add(&kinds, 0, way, kind, sca_peer_kinds_limit(&kinds, 0));
    ck_assert_uint_eq(sca_peer_kinds_limit(&kinds, 0), 0);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 0), SCA_BY_DISTANCE);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 1), SCA_BY_DISTANCE);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("peer_kinds", fewest_kinds_win, too_many_kinds_are_said_and_can_be_counted,
          a_call_is_closed_once_its_way_is_known)
