/*
 * One defect is told once: of two candidates on the same ranks, one inside the other, the inner one
 * is it if samples allow that all of the outer one's excess is there.
 */
#ifndef SCA_DETECT_NESTED_H
#define SCA_DETECT_NESTED_H

#include "candidate.h"

/* Drops the outer ones; the inner ones are levelled by the outer ones' excess. */
void sca_join_nested(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                     struct sca_candidates *candidates);

#endif
