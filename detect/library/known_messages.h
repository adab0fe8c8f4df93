/*
 * Which numbers of communication edges are exact: those that only one pair of calls can have, or
 * that follow from the totals of both sides. They replace what was shared out.
 */
#ifndef SCA_LIBRARY_KNOWN_MESSAGES_H
#define SCA_LIBRARY_KNOWN_MESSAGES_H

#include "graph/messages.h"

/* known[i] becomes enum scalana_count_known of pair->edges[i]; their numbers may change.
 * SCA_ENOMEM.
 */
int sca_known_messages_find(const struct sca_ppg *ppg, const struct sca_ppg_run *run,
                            struct sca_opened *opened, uint32_t sender, uint32_t receiver,
                            struct sca_messages *pair, uint32_t *known);

#endif
