/*
 * In what order a rank takes those that it hands work out to. A program may fix it: then each comes
 * after the same one every time. Or whoever is first comes first; of ranks that share cores, that
 * is who had one first, and the replay, which keeps the order, has ranks wait for each other that
 * would not.
 */
#ifndef SCA_DETECT_SERVED_ORDER_H
#define SCA_DETECT_SERVED_ORDER_H

#include "price/stage.h"

/* Whether the finding's work is handed out, on shared cores, in an order that changes: *out is the
 * evidence for it then (SCA_EVIDENCE_DYNAMIC). `uneven`: only if some ranks get more pieces than
 * others. */
bool sca_served_order_changes(struct sca_workspace *scratch, const struct sca_stage *stage,
                              const struct sca_finding *finding, bool uneven,
                              struct sca_evidence *out);

/* Of a run on shared cores, a rank that answers who asks it, one by one, in an order that changes;
 * SCA_NONE: there is none. */
uint32_t sca_served_order_server(struct sca_workspace *scratch, const struct sca_stage *stage);

#endif
