/* What the causes do to the others: which calls wait because of each, and the chain from the worst
 * of them back to the cause; and what findings cost by that, their prices. Needs the causes
 * (causes.h). */
#ifndef SCA_DETECT_SYMPTOMS_H
#define SCA_DETECT_SYMPTOMS_H

#include "verdict/analysis.h"

void sca_symptoms_find(struct sca_analysis *c);

/* All paths (all_paths.h) from what waits, grows or is abnormal in the largest run. Afterwards. */
void sca_symptoms_find_paths(struct sca_analysis *c);

#endif
