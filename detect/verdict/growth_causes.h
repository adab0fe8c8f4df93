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

/* Needs the causes, and what is noted beside them: prices c->if_same among themselves, for they
 * must take nothing from what is growth in both readings, and notes those that save 5 % at least.
 */
void sca_growth_causes_price_if_same(struct sca_analysis *c);

#endif
