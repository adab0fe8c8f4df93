/*
 * What computation costs the others: each wait of a replay is charged to the computation that
 * caused it (delay costs: Boehme, Geimer, Wolf, Arnold, ICPP 2010).
 *
 * Waits = sum of the costs + unexplained, exactly. Core-seconds. Owned by the room.
 */
#ifndef SCA_DETECT_COST_H
#define SCA_DETECT_COST_H

#include "replay.h"

struct sca_costs {
    double *of; /* [vertex * nranks + rank] waits of others caused by that rank's computation of
                   the vertex (its own, without what is nested in it) */
    double waits, unexplained;
};

void sca_costs_open(struct sca_room *room, const struct sca_measure *m, struct sca_costs *out);
/* Adds the waits of a replay that has run, times its scene's weight. */
void sca_costs_add(struct sca_room *room, const struct sca_measure *m,
                   const struct sca_replay *replay, struct sca_costs *costs);

#endif
