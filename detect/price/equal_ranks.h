/*
 * Replays in which all ranks take the same for the same: each instance of an interval takes the
 * mean of the ranks' in its row, the k-th of one beside the k-th of the others. Who waits in them
 * waits for the order in which the program lets its ranks do their work, and for no rank's having
 * more.
 */
#ifndef SCA_DETECT_EQUAL_RANKS_H
#define SCA_DETECT_EQUAL_RANKS_H

#include "price/stage.h"

/* Plays the stage's replays so, from what they stand at; afterwards they stand at nothing that is
 * equalised. Returns by interval of the run whether its instances correspond, in all replays: ranks
 * that have it have it as often, give or take one of several. The others stay as they are. */
bool *sca_equal_ranks_play(struct sca_workspace *space, struct sca_stage *stage);

#endif
