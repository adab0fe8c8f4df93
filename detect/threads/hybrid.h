/*
 * POP's efficiency of OpenMP within ranks (pop-coe.eu, "Hybrid metrics", multiplicative form): of
 * the threads' time outside MPI the part in which they compute, in virtual time, with a core for
 * each. It is the product of serialisation: threads are idle outside regions, and in regions of
 * fewer threads; load balance: in regions, they wait for the busiest; scheduling: the rest of what
 * regions lose, waits for locks. Fractions of 1. All are NAN where no rank has regions.
 */
#ifndef SCA_DETECT_HYBRID_H
#define SCA_DETECT_HYBRID_H

#include "measure/measure.h"

struct sca_hybrid {
    unsigned threads; /* of the largest team; 0: there are no regions */
    double openmp, serialisation, load_balance, scheduling;
};

struct sca_hybrid sca_hybrid_of(struct sca_workspace *scratch, const struct sca_measure *m);

#endif
