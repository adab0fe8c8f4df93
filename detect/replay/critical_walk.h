/*
 * The critical path of a replay: the events whose computation determines how long it takes. From
 * the event that is left last backwards; who waited was not critical, but the one it waited for was
 * (Boehme et al., "Scalable critical-path based performance analysis", IPDPS 2012).
 */
#ifndef SCA_DETECT_CRITICAL_WALK_H
#define SCA_DETECT_CRITICAL_WALK_H

#include "replay/replay.h"

struct sca_critical_walk {
    const struct sca_replay *replay;
    const struct sca_profile *profile;
    uint32_t at, left;
};

/* Of a replay that has run; it stays as it is until the walk is over. */
void sca_critical_walk_begin(struct sca_critical_walk *walk, const struct sca_replay *replay,
                             const struct sca_profile *profile);

/* The next event on the path, each earlier than the one before: the interval before it is critical.
 * SCA_NO_EVENT: the walk is over. */
uint32_t sca_critical_walk_next(struct sca_critical_walk *walk);

#endif
