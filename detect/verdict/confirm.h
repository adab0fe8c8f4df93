/* Whether what looks abnormal in the largest run stands up: in other runs, against chance. */
#ifndef SCA_DETECT_CONFIRM_H
#define SCA_DETECT_CONFIRM_H

#include "verdict/analysis.h"

/* Of the findings that other runs were not asked about yet, keeps those that do, in their order,
 * whoever replaced which; and those that are stalls, marked as such: what is behind them is found
 * when they are levelled. Which place rotates is not asked. */
void sca_confirm_drop(struct sca_analysis *c, struct sca_findings *findings);

#endif
