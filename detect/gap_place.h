/*
 * Which place of the computation after a call can be the one that takes long now and then: windows
 * say how much that is, samples what is done there, but not in which instances.
 */
#ifndef SCA_DETECT_GAP_PLACE_H
#define SCA_DETECT_GAP_PLACE_H

#include "measure.h"

/* Seconds of a vertex and all below after site `previous`, over all ranks. */
double sca_gap_seconds(const struct sca_measure *m, const uint32_t *ends, uint32_t previous,
                       uint32_t vertex);

/* The vertex, SCA_NONE if there is none. `alone`: it runs only when it delays. */
uint32_t sca_gap_place(const struct sca_measure *m, const uint32_t *ends, uint32_t previous,
                       double excess, bool *alone);

#endif
