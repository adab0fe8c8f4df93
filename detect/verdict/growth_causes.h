/*
 * Growth with the ranks as findings: what is one in every reading of the runs may be a cause, what
 * is one only if the problem stays the same is told at most.
 */
#ifndef SCA_DETECT_GROWTH_CAUSES_H
#define SCA_DETECT_GROWTH_CAUSES_H

#include "verdict/analysis.h"

/* Needs the comparable runs: fills c->growths, appends to c->findings, and closes those of one
 * reading, which are c->if_same, by loss. */
void sca_growth_causes_find(struct sca_analysis *c);
/* After those within ranks: where threads are the scale, these say why a place does not scale. */
void sca_growth_causes_of_threads(struct sca_analysis *c);

#endif
