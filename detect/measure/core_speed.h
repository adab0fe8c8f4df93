/*
 * How fast a rank's core is, told by its other work: cores that share caches or memory differ, and
 * a rank's core is slow in all that it computes.
 */
#ifndef SCA_DETECT_CORE_SPEED_H
#define SCA_DETECT_CORE_SPEED_H

#include "base/degrees.h"
#include "measure/measure.h"
#include "stats/weighted_quantile.h"

struct sca_within { /* vertices with all below */
    const uint32_t *ends, *vertices;
    uint32_t nvertices;
};

/* How much slower this rank computes everywhere else than in what is judged, compared with the
 * ranks' median: its core. From 1 to SCA_MOST_CORE_SPEED; 0 where it does too little elsewhere to
 * tell, or was sampled too little there. `working`: room for one per vertex. */
double sca_core_speed_factor(const struct sca_measure *m, uint32_t rank,
                             const struct sca_within *judged, struct sca_weighted *working);

#endif
