/*
 * The topologies of a run's communicators: into the report. One, that most ranks have a place in,
 * names ranks in sentences; all of them are for maps.
 */
#ifndef SCA_DETECT_TOPOLOGIES_H
#define SCA_DETECT_TOPOLOGIES_H

#include "verdict/analysis.h"

void sca_topologies_fill(struct sca_analysis *c, uint32_t run);
/* All those of the largest run; after its locations. */
void sca_topologies_report(struct sca_analysis *c);

#endif
