/*
 * Which findings are worth a replay. Among tens of thousands of ranks many groups are slow by the
 * luck of sampling, and the number of replays grows with the square of how many are tried.
 */
#ifndef SCA_DETECT_SHORTLIST_H
#define SCA_DETECT_SHORTLIST_H

#include "findings/ledger.h"
#include "measure/measure.h"

enum { SCA_SHORTLIST = 24 }; /* the most that are tried */

/* Fills `out`, of SCA_SHORTLIST places, in order: those of the greatest excess, then those that
 * keep a single rank longest. Left out is what cannot gain `least` core-seconds. Returns how many.
 */
uint32_t sca_shortlist(struct sca_workspace *space, const struct sca_measure *m,
                       const struct sca_finding_list *findings, double least,
                       const struct sca_finding **out);

#endif
