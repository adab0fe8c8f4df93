/*
 * Steps of a chain of waits, backwards (SC'20, Algorithm 1): along a communication edge to the rank
 * waited for, along a data edge to the wait that made that one late, along control edges into a
 * loop. Only edges along which the replay saw a wait are taken.
 */
#ifndef SCA_DETECT_CHAIN_WALK_H
#define SCA_DETECT_CHAIN_WALK_H

#include "base/workspace.h"
#include "measure/measure.h"
#include "price/stage.h"

#include <stdint.h>

enum {
    SCA_MOST_HOPS = 32,
    SCA_MOST_DEPTH = 64,
    SCA_MOST_CHAIN = 2 * SCA_MOST_HOPS + SCA_MOST_DEPTH + 2
};

struct sca_chain_step {
    uint32_t vertex, rank;
    const char *via; /* "" for the first, then p2p, collective, data or control */
};

struct sca_chain {
    uint32_t count;
    struct sca_chain_step *steps;
};

struct sca_chain_walk {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const struct sca_replay *replay; /* that is walked through; it stands as measured */
    struct sca_chain *chain;         /* has room for SCA_MOST_CHAIN steps */
    const struct sca_stage *stage;
};

/* Vertex of a step's call; SCA_NONE: the end of the run. */
uint32_t sca_chain_walk_vertex(const struct sca_chain_walk *walk, uint32_t step);
/* A vertex of SCA_NONE is left out; one that stands in the chain already ends it there. */
void sca_chain_walk_add(struct sca_chain_walk *walk, uint32_t vertex, uint32_t rank,
                        const char *via);
/* Over the edge that ended the wait of `step`: adds the call there and returns its step. */
uint32_t sca_chain_walk_hop(struct sca_chain_walk *walk, uint32_t step);
/* The wait that made the rank of `step` late, if it explains some of `length` seconds; else
 * SCA_NO_EVENT. */
uint32_t sca_chain_walk_own_wait(const struct sca_chain_walk *walk, uint32_t step, double length);
/* From the last step into the loops around a vertex, and there. */
void sca_chain_walk_descend(struct sca_chain_walk *walk, uint32_t vertex);
/* The chain of one process to all. */
void sca_chain_walk_share(struct sca_chain_walk *walk, uint32_t from);

#endif
