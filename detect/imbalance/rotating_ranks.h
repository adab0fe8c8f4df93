/*
 * On which ranks it is what rotates (rotating.h).
 */
#ifndef SCA_DETECT_ROTATING_RANKS_H
#define SCA_DETECT_ROTATING_RANKS_H

#include "imbalance/rotating_search.h"

/* What has a place of its own is on all ranks that went there; what windows tell, on those that
 * they show, of the interval that was looked at last. Sets the finding's. */
void sca_rotating_ranks_name(const struct sca_rotating_search *s, bool has_place,
                             struct sca_finding *c);

#endif
