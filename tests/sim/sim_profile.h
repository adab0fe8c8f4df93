/*
 * What the runtime and the attribution would have made of simulated runs: exact intervals and
 * totals, sampled shares of loops, and windows of whole steps by class of duration. Written and
 * read back through the formats' one writer (synthetic.h).
 */
#ifndef SCA_SIM_PROFILE_H
#define SCA_SIM_PROFILE_H

#include "graph/ppg.h"
#include "sim.h"

struct sim_graph {
    struct sca_ppg ppg;
    uint32_t first_place; /* vertex of places[0]; the others follow */
};

/* Runs by rising number of ranks, of one program. */
struct sim_graph *sim_graph(struct sim *const *runs, uint32_t nruns);
void sim_graph_free(struct sim_graph *graph);

#endif
