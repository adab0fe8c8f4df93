/*
 * Loops whose work is shared out unevenly over the ranks (skew.h), where these come to them between
 * different calls: of a domain cut into blocks each rank has other neighbours, and no two ranks
 * need have an interval in common. What is compared is what ranks take wherever the loop's code
 * runs (same_code.h), which is exact; samples say whether it is the loop's.
 */
#ifndef SCA_DETECT_UNEVEN_PLACES_H
#define SCA_DETECT_UNEVEN_PLACES_H

#include "findings/ledger.h"
#include "measure/measure.h"

/* Beside what the ledger has open already. `least`: core-seconds that
 * sharing it out evenly must save. */
void sca_uneven_places_add(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *ends, double least, struct sca_ledger *out);

#endif
