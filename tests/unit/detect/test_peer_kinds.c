/* Kinds of peers along trees of several shapes: the same as all ranks at once. */
#include "activity/peer_kinds.h"
#include "check_main.h"

enum { RANKS = 96, CALLS = 4, MOST = 20 };

static jmp_buf out_of_memory;
static struct sca_workspace space;

/* Call 0: one kind by distance; 1: two by bits, one of them 0; 2: too many each way; 3: as many as
 * are kept by number, one more by distance. */
static void add_rank(struct sca_peer_kinds *kinds, uint32_t rank)
{
    const uint64_t seen[CALLS][SCA_PEER_WAYS] = {{7, 100 + rank, 200 + rank},
                                                 {300 + rank, rank % 2, 1 + rank % 3},
                                                 {1 + rank, 100 + rank, 200 + rank},
                                                 {rank % (MOST + 1), 1 + rank, rank % MOST}};
    for (size_t call = 0; call < CALLS; call++)
        sca_peer_kinds_add(kinds, call, seen[call]);
}

static struct sca_peer_kinds begin(uint32_t most)
{
    struct sca_peer_kinds kinds;
    sca_peer_kinds_begin(&space, CALLS, most, &kinds);
    return kinds;
}

static struct sca_peer_kinds leaf_of(uint32_t first, uint32_t n, uint32_t most)
{
    struct sca_peer_kinds kinds = begin(most);
    for (uint32_t r = first; r < first + n; r++)
        add_rank(&kinds, r);
    return kinds;
}

/* Halves down to leaves of a rank. */
static struct sca_peer_kinds by_halves(uint32_t first, uint32_t n, bool right_first)
{
    if (n == 1)
        return leaf_of(first, 1, MOST);
    struct sca_peer_kinds left = by_halves(first, n / 2, right_first);
    struct sca_peer_kinds right = by_halves(first + n / 2, n - n / 2, right_first);
    sca_peer_kinds_unite(right_first ? &right : &left, right_first ? &left : &right);
    return right_first ? right : left;
}

static void check_same(const struct sca_peer_kinds *a, const struct sca_peer_kinds *b)
{
    for (size_t call = 0; call < CALLS; call++) {
        ck_assert_int_eq(sca_peer_kinds_way(a, call), sca_peer_kinds_way(b, call));
        for (int way = 0; way < SCA_PEER_WAYS; way++) {
            ck_assert_uint_eq(a->seen[call][way].n, b->seen[call][way].n);
            ck_assert(a->seen[call][way].many == b->seen[call][way].many);
        }
    }
}

static void start(void)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    if (setjmp(out_of_memory))
        ck_abort_msg("out of memory");
}

START_TEST(every_tree_gives_what_all_at_once_does)
{
    start();
    struct sca_peer_kinds at_once = leaf_of(0, RANKS, MOST), chain = begin(MOST),
                          back = begin(MOST);
    struct sca_peer_kinds halves = by_halves(0, RANKS, false), turned = by_halves(0, RANKS, true);
    for (uint32_t r = 0; r < RANKS; r += 16) {
        struct sca_peer_kinds leaf = leaf_of(r, 16, MOST), last = leaf_of(RANKS - 16 - r, 16, MOST);
        sca_peer_kinds_unite(&chain, &leaf);
        sca_peer_kinds_unite(&back, &last);
    }
    check_same(&at_once, &chain);
    check_same(&at_once, &back);
    check_same(&at_once, &halves);
    check_same(&at_once, &turned);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(fewest_kinds_win)
{
    start();
    struct sca_peer_kinds kinds = leaf_of(0, RANKS, MOST);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 0), SCA_BY_DISTANCE);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 1), SCA_BY_BITS);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 3), SCA_BY_NUMBER);
    ck_assert_uint_eq(kinds.seen[1][SCA_BY_BITS].n, 2);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(too_many_kinds_are_said_and_can_be_counted)
{
    start();
    struct sca_peer_kinds kinds = leaf_of(0, RANKS, MOST), all = leaf_of(0, RANKS, UINT32_MAX);
    ck_assert_int_eq(sca_peer_kinds_way(&kinds, 2), SCA_PEER_WAYS);
    ck_assert_int_eq(sca_peer_kinds_way(&all, 2), SCA_BY_DISTANCE);
    ck_assert_uint_eq(all.seen[2][SCA_BY_NUMBER].n, RANKS);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("peer_kinds", every_tree_gives_what_all_at_once_does, fewest_kinds_win,
          too_many_kinds_are_said_and_can_be_counted)
