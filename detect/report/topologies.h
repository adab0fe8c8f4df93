/*
 * The topology of a run's communicators that most ranks have a place in: into the report. The
 * runtime's words for it are read here (doc/FORMATS.md).
 */
#ifndef SCA_DETECT_TOPOLOGIES_H
#define SCA_DETECT_TOPOLOGIES_H

#include "verdict/analysis.h"

void sca_topologies_fill(struct sca_analysis *c, uint32_t run);

#endif
