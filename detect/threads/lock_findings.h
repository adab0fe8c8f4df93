/*
 * Contention: threads of a rank wait for locks that others of them have. Each is a finding at the
 * call that takes the lock while the others wait, with the calls where these wait. What a rank
 * takes longer by all its locks is shared out by how long threads waited for each.
 */
#ifndef SCA_DETECT_LOCK_FINDINGS_H
#define SCA_DETECT_LOCK_FINDINGS_H

#include "findings/ledger.h"
#include "measure/measure.h"

/* `least`: core-seconds that a finding must take from all ranks. */
void sca_lock_findings_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                           struct sca_ledger *out);

#endif
