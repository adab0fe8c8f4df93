/*
 * What the threads of ranks lose, by what the run says of them (regions.h): regions whose threads
 * compute unevenly, what the ranks do with one thread while the others idle (Amdahl, AFIPS 1967),
 * and waits for locks. Each is a finding that takes seconds from intervals. Only what ranks have in
 * common: what one has more of than the others is told by comparing ranks.
 */
#ifndef SCA_DETECT_REGION_FINDINGS_H
#define SCA_DETECT_REGION_FINDINGS_H

#include "findings/ledger.h"
#include "measure/measure.h"

/* `least`: core-seconds that a finding must take from all ranks. */
void sca_region_findings_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                             struct sca_ledger *out);

#endif
