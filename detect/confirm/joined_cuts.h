/*
 * What is taken from the ranks of two findings, on the same ranks, that are one defect: their cuts
 * (findings/finding.h) put together.
 */
#ifndef SCA_DETECT_JOINED_CUTS_H
#define SCA_DETECT_JOINED_CUTS_H

#include "findings/finding.h"

/* Gives the draft the cuts of both: in an interval that both cut, they add up; if all computation
 * between two calls is what the other takes away (sca_finding_is_interval), it has the draft's part
 * in it, and the greater counts. None, so that factors decide, if one of them levels by factors of
 * its vertices. The draft's may be the same list as another finding's: it stays as it is. */
void sca_joined_cuts_add(struct sca_workspace *space, const struct sca_measure *m,
                         struct sca_finding *draft, const struct sca_finding *other);

/* Of a place that lies in another and has all that the other has too much: what exact times told of
 * the outer one is the inner one's. In an interval that both cut the greater counts. Stays as it is
 * where one of them has no cuts. */
void sca_joined_cuts_nest(struct sca_workspace *space, const struct sca_measure *m,
                          struct sca_finding *inner, const struct sca_finding *outer);

#endif
