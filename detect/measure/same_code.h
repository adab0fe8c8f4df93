/*
 * Gaps (intervals.h) in which ranks run the same code as in given ones: a loop before the call of
 * every step runs before another call now and then. How fast a rank's core is, only other code
 * tells.
 */
#ifndef SCA_DETECT_SAME_CODE_H
#define SCA_DETECT_SAME_CODE_H

#include "graph/ppg.h"
#include "base/workspace.h"

/* Marks those too. on[]: one per interval of the run, some of them marked. */
void sca_same_code_add(struct sca_workspace *space, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, bool *on);

#endif
