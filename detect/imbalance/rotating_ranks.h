/*
 * On which ranks it is what rotates (rotating.h).
 */
#ifndef SCA_DETECT_ROTATING_RANKS_H
#define SCA_DETECT_ROTATING_RANKS_H

#include "imbalance/rotating_search.h"

/* What windows show of one interval, or of several that a finding is in. */
struct sca_lateness {
    double rows, shown;     /* instances, and those of them that windows show */
    double *times, *excess; /* by rank */
};

/* Of no interval yet; from the search's workspace. */
struct sca_lateness sca_rotating_ranks_begin(const struct sca_rotating_search *s);

/* Of the interval that was looked at last. */
void sca_rotating_ranks_add(const struct sca_rotating_search *s, struct sca_lateness *to);

/* What has a place of its own is on all ranks that went there; what windows tell, on those that
 * they show. Sets the finding's. */
void sca_rotating_ranks_name(const struct sca_rotating_search *s, const struct sca_lateness *of,
                             bool has_place, struct sca_finding *c);

#endif
