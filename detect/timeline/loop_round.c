#include "timeline/loop_round.h"
#include "graph/ppg.h"

#include <stdbool.h>

static bool is_in(const struct sca_loop_round *r, uint32_t vertex, uint32_t around)
{
    return vertex != SCA_NONE && around != SCA_NONE && vertex >= around && vertex < r->ends[around];
}

static uint32_t loop_of(const struct sca_loop_round *r, uint32_t vertex)
{
    for (uint32_t i = 0; i < r->nloops; i++)
        if (is_in(r, vertex, r->loops[i]))
            return r->loops[i];
    return SCA_NONE;
}

/* Both calls lie in one loop. */
static enum sca_loop_side side_within(const struct sca_loop_round *r, uint32_t previous,
                                      uint32_t next, uint32_t context)
{
    bool around_previous = is_in(r, previous, context), around_next = is_in(r, next, context);
    if (around_previous != around_next)
        return around_next ? SCA_LOOP_AFTER : SCA_LOOP_BEFORE;
    bool behind = context > previous, ahead = context < next;
    if (around_previous || behind == ahead)
        return SCA_LOOP_EITHER;
    return behind ? SCA_LOOP_BEFORE : SCA_LOOP_AFTER;
}

enum sca_loop_side sca_loop_side_of(const struct sca_loop_round *round, uint32_t previous,
                                    uint32_t next, uint32_t context)
{
    uint32_t from = loop_of(round, previous), to = loop_of(round, next);
    if (!round->nloops)
        return SCA_LOOP_AFTER;
    if (from == to)
        return side_within(round, previous, next, context);
    if (from != SCA_NONE && is_in(round, context, from))
        return SCA_LOOP_BEFORE;
    if (to != SCA_NONE && is_in(round, context, to))
        return SCA_LOOP_AFTER;
    if (from != SCA_NONE && to != SCA_NONE)
        return SCA_LOOP_EITHER;
    return to == SCA_NONE ? SCA_LOOP_AFTER : SCA_LOOP_BEFORE;
}
