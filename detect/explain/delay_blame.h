/*
 * Where the cost of causes is waited: each wait of a replay is shared out among the causes as
 * delay_cost.h does, over as many hops, and summed by the call that waited. So the waits that a
 * cause is charged with add up to its cost. Core-seconds.
 */
#ifndef SCA_DETECT_DELAY_BLAME_H
#define SCA_DETECT_DELAY_BLAME_H

#include "findings/finding.h"
#include "replay/replay.h"

/* Adds to waits[i][vertex] what calls of that vertex waited because of causes[i]: of computation
 * of its ranks in its vertices. The replay must have run as measured. */
void sca_delay_blame_add(struct sca_workspace *space, const struct sca_measure *m,
                         const uint32_t *ends, const struct sca_replay *replay,
                         const struct sca_finding *const *causes, uint32_t n, double *const *waits);

#endif
