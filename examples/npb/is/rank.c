/* One iteration: buckets, exchange, count. */
#include "is.h"

#include <stdlib.h>
#include <string.h>

/* So that no iteration is like the one before. */
static void change_two_keys(struct is *is, int turn)
{
    if (is->run->rank == 0) {
        is->keys[turn] = turn;
        is->keys[turn + IS_TURNS] = (1 << is->problem->largest_log) - turn;
    }
}

/* Test keys travel behind the bucket sizes: one rank has each, the rest add 0. */
static void note_test_keys(struct is *is)
{
    for (int t = 0; t < IS_TEST_KEYS; t++) {
        long index = is->problem->tests[t].index;
        bool mine = index / is->count == is->run->rank;
        is->size[is->buckets + t] = mine ? is->keys[index % is->count] : 0;
    }
}

static long count_for_nothing(const struct is *is)
{
    long odd = 0;

    for (long i = 0; i < is->delay_keys; i++) /* PLANT delay */
        odd += is->keys[i % is->count] & 1;
    return odd;
}

static void fill_buckets(struct is *is)
{
    memset(is->size, 0, is->buckets * sizeof *is->size);
    for (int i = 0; i < is->count; i++)
        is->size[is->keys[i] >> is->shift]++;

    is->place[0] = 0;
    for (int b = 1; b < is->buckets; b++)
        is->place[b] = is->place[b - 1] + is->size[b - 1];
    for (int i = 0; i < is->count; i++)
        is->bucketed[is->place[is->keys[i] >> is->shift]++] = is->keys[i];
}

/* Deals the buckets out in order, about as many keys to each rank. Notes what
 * goes where and which buckets come here. */
static void deal_buckets(struct is *is)
{
    int first = 0, own = 0; /* buckets that come here */
    long before = 0;

    memset(is->give_count, 0, is->run->size * sizeof *is->give_count);
    is->lesser = 0;
    for (int b = 0; b < is->buckets; b++) {
        int owner = (int)(before / is->count);
        if (owner < is->run->rank) {
            first = b + 1;
            is->lesser += is->total[b];
        }
        own += owner == is->run->rank;
        is->give_count[owner] += is->size[b];
        before += is->total[b];
    }
    is->first_key = first << is->shift;
    is->key_range = own << is->shift;
}

static int places(const int *count, int *place, int ranks)
{
    int next = 0;

    for (int rank = 0; rank < ranks; rank++) {
        place[rank] = next;
        next += count[rank];
    }
    return next;
}

static void make_room(struct is *is)
{
    if (is->received_count > is->received_room) {
        free(is->received);
        is->received_room = is->received_count;
        is->received = npb_alloc(is->received_room, sizeof *is->received);
    }
}

static void exchange_keys(struct is *is)
{
    int ranks = is->run->size;

    MPI_Alltoall(is->give_count, 1, MPI_INT, is->take_count, 1, MPI_INT, MPI_COMM_WORLD);
    places(is->give_count, is->give_place, ranks);
    is->received_count = places(is->take_count, is->take_place, ranks);
    make_room(is);
    MPI_Alltoallv(is->bucketed, is->give_count, is->give_place, MPI_INT, is->received,
                  is->take_count, is->take_place, MPI_INT, MPI_COMM_WORLD);
}

static void count_keys(struct is *is)
{
    memset(is->below, 0, is->key_range * sizeof *is->below);
    for (int i = 0; i < is->received_count; i++)
        is->below[is->received[i] - is->first_key]++;
    for (int i = 1; i < is->key_range; i++)
        is->below[i] += is->below[i - 1];
}

static void check_test_keys(struct is *is, int iteration)
{
    for (int t = 0; t < IS_TEST_KEYS; t++) {
        const struct is_test *test = &is->problem->tests[t];
        int i = is->total[is->buckets + t] - is->first_key;
        if (i < 0 || i >= is->key_range)
            continue;
        long rank = is->lesser + (i > 0 ? is->below[i - 1] : 0);
        if (rank == test->base + (long)test->step * iteration)
            is->passed++;
    }
}

void is_rank_keys(struct is *is, int iteration)
{
    change_two_keys(is, 1 + (iteration - 1) % IS_TURNS);
    note_test_keys(is);
    if (is->delay_keys)
        is->run->plant.sink = (double)count_for_nothing(is);
    fill_buckets(is);
    MPI_Allreduce(is->size, is->total, is->buckets + IS_TEST_KEYS, MPI_INT, MPI_SUM,
                  MPI_COMM_WORLD);
    deal_buckets(is);
    exchange_keys(is);
    count_keys(is);
    check_test_keys(is, iteration);
}
