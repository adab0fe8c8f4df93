#include "stats/rank_correspondence.h"

#include <stdbool.h>

/* Of the same number, or as many from the end in the upper half, or at the same part of the way. */
static bool corresponds(uint32_t rank, uint32_t nranks, uint32_t other, uint32_t nothers)
{
    uint32_t left = nranks - rank, other_left = nothers - other;
    bool upper = 2 * left <= nranks && 2 * other_left <= nothers;
    return other == rank || (nothers != nranks && ((upper && left == other_left) ||
                                                   other == (uint64_t)rank * nothers / nranks));
}

uint32_t sca_rank_correspondence_count(const uint32_t *ranks, uint32_t n, uint32_t nranks,
                                       const uint32_t *others, uint32_t nothers,
                                       uint32_t nranks_of_others)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < n; b++) {
        uint32_t a = 0;
        while (a < nothers && !corresponds(ranks[b], nranks, others[a], nranks_of_others))
            a++;
        count += a < nothers;
    }
    return count;
}

/* May be no rank of that run. */
static int64_t counterpart(uint32_t rank, uint32_t nranks, uint32_t nothers,
                           enum sca_rank_manner manner)
{
    bool upper = 2 * (nranks - rank) <= nranks;
    if (manner == SCA_SAME_PART)
        return (int64_t)((uint64_t)rank * nothers / nranks);
    return manner == SCA_FROM_BOTH_ENDS && upper ? (int64_t)nothers - (nranks - rank) : rank;
}

uint32_t sca_rank_correspondence_list(const uint32_t *ranks, uint32_t n, uint32_t nranks,
                                      uint32_t nothers, enum sca_rank_manner manner, uint32_t *out)
{
    uint32_t count = 0;
    if (manner != SCA_SAME_NUMBER && nothers == nranks)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t other = counterpart(ranks[i], nranks, nothers, manner);
        if (other >= 0 && other < nothers && (!count || other > out[count - 1]))
            out[count++] = (uint32_t)other;
    }
    return count;
}
