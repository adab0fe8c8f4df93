/* Makes the keys, and checks the sorted ones. */
#include "is.h"

#include <stdlib.h>

/* A key is the mean of four random numbers: small and large keys are rare. */
void is_make_keys(struct is *is)
{
    uint64_t first = 4 * (uint64_t)is->run->rank * is->count;
    uint64_t seed = npb_random_skip(314159265, NPB_MULTIPLIER, first);
    int quarter = 1 << (is->problem->largest_log - 2);

    for (int i = 0; i < is->count; i++) {
        double sum = npb_random(&seed, NPB_MULTIPLIER);
        for (int draw = 1; draw < 4; draw++)
            sum += npb_random(&seed, NPB_MULTIPLIER);
        is->keys[i] = (int)(quarter * sum);
    }
}

/* Puts each received key where its rank says. Uses up the counts in below[]. */
static int *sort_received(struct is *is)
{
    int *sorted = npb_alloc(is->received_count, sizeof *sorted);

    for (int i = 0; i < is->received_count; i++) {
        int key = is->received[i];
        sorted[--is->below[key - is->first_key]] = key;
    }
    return sorted;
}

/* The largest key of all lower ranks. */
static int largest_before(const struct is *is, const int *sorted)
{
    int largest = is->received_count ? sorted[is->received_count - 1] : -1;
    int before = -1;

    MPI_Exscan(&largest, &before, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return is->run->rank == 0 ? -1 : before;
}

void is_check_order(struct is *is)
{
    int *sorted = sort_received(is);
    int previous = largest_before(is, sorted);
    bool ordered = true;

    for (int i = 0; i < is->received_count; i++) {
        ordered = ordered && previous <= sorted[i];
        previous = sorted[i];
    }
    if (ordered)
        is->passed++;
    free(sorted);
}
