/*
 * One defect is told once. Of two findings on the same ranks, one inside the other, the inner one
 * is it if it has nearly all of the outer one's excess, or samples allow that it has all of it.
 * Some of its call paths may lead elsewhere: then it is what it has on the others that counts. If
 * another run settles that cores do not make the outer one, it does so of the inner one: of more
 * time it can tell more.
 */
#ifndef SCA_DETECT_SAME_DEFECT_H
#define SCA_DETECT_SAME_DEFECT_H

#include "findings/ledger.h"

/* Levels the inner ones by the excess of the outer ones, if they may have all of it. Of open
 * findings; the outer ones are closed. */
void sca_same_defect_join(struct sca_workspace *space, const struct sca_measure *m,
                          const uint32_t *ends, struct sca_ledger *ledger);

#endif
