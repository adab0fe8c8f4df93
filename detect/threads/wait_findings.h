/*
 * Threads outside regions that the first ones wait for: a producer that is too slow, a helper that
 * has more to do (thread_waits.h). In an interval the threads that compute would take the mean of
 * what they have if they shared it evenly; what the rank takes beyond that is charged, as far as
 * its first thread waits, to whom it waits for, and else to itself: where that thread computes more
 * than the threads' mean. Each place is a finding, with the calls where the first threads wait. A
 * rank that leaves all its work to one thread has nobody to share it with: that is none.
 */
#ifndef SCA_DETECT_WAIT_FINDINGS_H
#define SCA_DETECT_WAIT_FINDINGS_H

#include "findings/ledger.h"
#include "measure/measure.h"
#include "threads/thread_waits.h"

/* `least`: core-seconds that a finding must take from all ranks. */
void sca_wait_findings_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                           struct sca_ledger *out);
/* The same of waits and work that have been read; sets their `beyond`. */
void sca_wait_findings_of(struct sca_workspace *space, const struct sca_measure *m,
                          struct sca_thread_waits *all, double least, struct sca_ledger *out);

#endif
