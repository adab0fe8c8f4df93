/*
 * Ranks that are bound to cores which others of the run use, while cores are idle that they may not
 * use (measure/core_waits.h). It is at no line of the program: the finding is the whole of it, and
 * mending it takes away what the run waits so (price/stage.h), and no computation.
 */
#ifndef SCA_DETECT_BINDING_FINDING_H
#define SCA_DETECT_BINDING_FINDING_H

#include "findings/ledger.h"
#include "measure/measure.h"

/* `least`: core-seconds that it must take from all ranks. */
void sca_binding_finding_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                             struct sca_ledger *out);

#endif
