/* Whether what looks abnormal in the largest run stands up: in other runs, against chance. */
#ifndef SCA_DETECT_CONFIRM_H
#define SCA_DETECT_CONFIRM_H

#include "case.h"

/* Of the candidates from number `from` on, keeps those that do, in their order; and those that are
 * stalls, marked as such: what is behind them is found when they are levelled. */
void sca_drop_unconfirmed(struct sca_case *c, struct sca_candidates *candidates, uint32_t from);

#endif
