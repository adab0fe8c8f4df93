/* Whether what looks abnormal in the largest run stands up: in other runs, against chance. */
#ifndef SCA_DETECT_CONFIRM_H
#define SCA_DETECT_CONFIRM_H

#include "verdict/analysis.h"

/* Asks the other runs about open findings that they were not asked about yet, and puts down what
 * they say. Closed is what is not believed; stalls stay: what is behind them is found when they are
 * equalised. Which place rotates is not asked. */
void sca_confirm_ask(struct sca_analysis *c);

#endif
