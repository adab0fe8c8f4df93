/*
 * What ranks compute after the calls of a vertex, until the next call: exact, whatever samples say
 * of the lines in it. Results live in the room (room.h); seconds.
 */
#ifndef SCA_DETECT_AFTER_H
#define SCA_DETECT_AFTER_H

#include "measure.h"

struct sca_after {
    double *seconds, *variance, *count; /* by rank */
};

/* `after` SCA_NONE: before the first call. */
struct sca_after sca_after_measure(struct sca_room *room, const struct sca_measure *m,
                                   uint32_t after);

/* Ranks that come there more or less often, or never, do the same work between other calls: they
 * say nothing, and are given the others' median. False if only half of the ranks can be compared.
 */
bool sca_after_compare(struct sca_room *room, const struct sca_measure *m, struct sca_after *of);

#endif
