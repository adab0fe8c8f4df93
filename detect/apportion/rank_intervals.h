/*
 * What one rank at a time does in each interval (intervals.h): how long, how often, what its
 * samples say, and how far its time is from that of others. Owned by struct sca_rank_intervals
 * until sca_rank_intervals_free().
 */
#ifndef SCA_DETECT_RANK_INTERVALS_H
#define SCA_DETECT_RANK_INTERVALS_H

#include "graph/intervals.h"
#include "apportion/rank_samples.h"
#include "sca_profile.h"
#include "apportion/typical_rank.h"

#include <stdbool.h>

struct sca_rank_intervals {
    const struct sca_intervals *numbers;
    struct sca_rank_samples samples;
    double *seconds, *visits; /* per interval */
    double *unusual;          /* per interval: as sca_sample_pool_add() takes it */
    uint32_t *visited;        /* the intervals of the rank: all others have 0 */
    bool *is_visited;         /* per interval */
    uint32_t nvisited;
    struct sca_typical typical;
};

/* All return SCA_OK or SCA_ENOMEM. After that, too, it must be freed. The numbers must outlive it.
 */
int sca_rank_intervals_open(struct sca_rank_intervals *g, const struct sca_intervals *numbers,
                            uint32_t nranks);
/* Ranks that are multiples of typical.stride, each once, before any is taken. */
void sca_rank_intervals_ask(struct sca_rank_intervals *g, const struct sca_rank *r);
void sca_rank_intervals_asked(struct sca_rank_intervals *g);
/* Takes a rank in place of the one before; `node_vertex` says where its samples were. */
int sca_rank_intervals_take(struct sca_rank_intervals *g, const struct sca_rank *r,
                            const uint32_t *node_vertex);
void sca_rank_intervals_free(struct sca_rank_intervals *g);

/* What as many visits of the interval take other ranks. */
double sca_rank_intervals_usual(const struct sca_rank_intervals *g, uint32_t interval);

#endif
