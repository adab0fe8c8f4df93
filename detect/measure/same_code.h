/*
 * Gaps (intervals.h) in which ranks run the same code as in given ones: a loop before the call of
 * every step runs before another call now and then. How fast a rank's core is, only other code
 * tells.
 */
#ifndef SCA_DETECT_SAME_CODE_H
#define SCA_DETECT_SAME_CODE_H

#include "graph/ppg.h"
#include "base/scratch.h"

/* Marks those too. on[]: one per gap of the run, some of them marked. */
void sca_add_same_code(struct sca_room *room, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, bool *on);

#endif
