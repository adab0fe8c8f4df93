/*
 * Work that is on the critical path for longer than any rank takes for it, though all take the same
 * (path_times.h): ranks do it one after the other (a token, a chain of receives), or begin late
 * (a pipeline of large blocks). Balanced by totals and slow by order, so no comparison of ranks
 * shows it (critical-path imbalance: Boehme et al., SC'12).
 */
#ifndef SCA_DETECT_CRITICAL_PATH_H
#define SCA_DETECT_CRITICAL_PATH_H

#include "findings/ledger.h"
#include "price/stage.h"

#include <stdint.h>

/* Begins with the replays as they are: run them with the causes known so far equalised, and what
 * those explain is gone. Afterwards they stand at nothing that is equalised. Appends findings that
 * cost at least `least` core-seconds together, and half of it each, to the ledger and to `known`,
 * whose places are left out. Returns how many. */
uint32_t sca_critical_path_find(struct sca_stage *stage, double least, struct sca_ledger *out,
                                struct sca_finding_list *known);

#endif
