/*
 * What is known already of a place that has too much: the same excess is found once.
 */
#ifndef SCA_DETECT_PLACE_KNOWN_H
#define SCA_DETECT_PLACE_KNOWN_H

#include "findings/ledger.h"

/* Whether a finding is named for the vertex, or for its place in the source. */
bool sca_place_known_has(const struct sca_ppg *ppg, const struct sca_finding_list *known,
                         uint32_t vertex);

/* The first finding that has a rank of the draft's and a place in or around its; NULL: none. */
const struct sca_finding *sca_place_known_find(const uint32_t *ends,
                                               const struct sca_finding_list *known,
                                               const struct sca_finding *draft);

#endif
