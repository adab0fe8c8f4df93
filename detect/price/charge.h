/*
 * What the waits that a replay charges to computation make a finding cost (delay_cost.h).
 */
#ifndef SCA_DETECT_CHARGE_H
#define SCA_DETECT_CHARGE_H

#include "findings/finding.h"
#include "price/price.h"
#include "replay/delay_cost.h"

/* What the others wait because of its ranks at its vertices. Growth costs its own excess;
 * communication that grows, the waits it causes as well. */
struct sca_charge sca_charge_of(const struct sca_costs *costs, const struct sca_measure *m,
                                const uint32_t *ends, const struct sca_finding *finding);

#endif
