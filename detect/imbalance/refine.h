/*
 * Where inside an abnormal vertex the excess lies, when a run has too few samples to say so of
 * its parts: all runs are asked together. That the vertex is abnormal is known; what is left is
 * to choose between "one part has all the excess" and "all parts have theirs".
 */
#ifndef SCA_DETECT_REFINE_H
#define SCA_DETECT_REFINE_H

#include "imbalance/abnormal.h"

/* The deepest vertex at or below `vertex` that the runs agree carries its excess. */
uint32_t sca_refine_vertex(struct sca_workspace *space, const struct sca_measure *runs,
                           uint32_t nruns, const uint32_t *ends, double threshold, uint32_t vertex);

#endif
