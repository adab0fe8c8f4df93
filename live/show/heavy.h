/*
 * Where the time went between two looks: contexts with what all ranks had more of each.
 */
#ifndef SCA_LIVE_HEAVY_H
#define SCA_LIVE_HEAVY_H

#include "look/seen.h"

struct sca_heavy {
    uint32_t context; /* of the later look */
    double core_s;
};

/* The heaviest first, at most `room`; `before` NULL: since the run began. How many there are. */
uint32_t sca_heavy_find(const struct sca_look *look, const struct sca_look *before,
                        struct sca_heavy *out, uint32_t room);
/* Iterations of the main loop in a second, between the two looks; 0: not known. */
double sca_heavy_rate(const struct sca_look *look, const struct sca_look *before);

#endif
