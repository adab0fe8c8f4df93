/*
 * Non-scalable vertices: their computation does not shrink (strong scaling) or grows (weak) with
 * the ranks, unlike the rest of the program's (SC'20, IV-A: "unusual slope comparing with other
 * vertices"). Where ranks share cores everything slows down with their number; only what slows
 * down more than the rest is called non-scalable. Owned by the workspace.
 */
#ifndef SCA_DETECT_GROWTH_H
#define SCA_DETECT_GROWTH_H

#include "scaling/growths.h"

/* `least`: the smallest loss a cause may have, core-seconds; growth must exceed it clearly. */
void sca_growth_find(const struct sca_comparable *comparable, const struct sca_settings *settings,
                     double least, struct sca_growths *out);

/* The deepest of them as findings, one per place in the source. */
void sca_growth_findings_add(struct sca_workspace *space, const struct sca_measure *largest,
                             const uint32_t *ends, const struct sca_growths *growths,
                             struct sca_ledger *out);

#endif
