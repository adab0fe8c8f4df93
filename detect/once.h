/*
 * Causes that rest on one instance: in one step of many a rank took long, and in all others it is
 * like the rest. The program may do that; a machine may as well.
 */
#ifndef SCA_DETECT_ONCE_H
#define SCA_DETECT_ONCE_H

#include "candidate.h"
#include "scene.h"

/* Of how many instances a single one has most of the excess, on each of the candidate's ranks (the
 * fewest of them); 0 if it rests on more, or if that cannot be told. */
uint64_t sca_only_once(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                       const struct sca_scenes *scenes, const struct sca_candidate *c);

#endif
