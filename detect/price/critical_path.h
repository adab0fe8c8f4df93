/*
 * Work that is on the critical path far more than its share: ranks do it one after the other (a
 * token, a chain of receives), or now one rank does it, now another. Balanced by totals and slow by
 * order, so no comparison of ranks shows it (critical-path imbalance: Boehme et al., SC'12).
 */
#ifndef SCA_DETECT_CRITICAL_PATH_H
#define SCA_DETECT_CRITICAL_PATH_H

#include "findings/ledger.h"
#include "price/what_if.h"

/* Looks at the replays as they are: run them with the causes known so far levelled, and what those
 * explain is gone. Appends findings that cost at least `least` core-seconds to the ledger and to
 * `known`, whose places are left out. Returns how many. */
uint32_t sca_critical_path_find(struct sca_stage *stage, double least, struct sca_ledger *out,
                                struct sca_finding_list *known);

#endif
