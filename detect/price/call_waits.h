/* How long calls waited, as far as the replay explains it: of what a call took, that is not its
 * transfer. */
#ifndef SCA_DETECT_CALL_WAITS_H
#define SCA_DETECT_CALL_WAITS_H

#include "base/workspace.h"
#include "price/stage.h"

/* [rank * nsites + site] seconds per call, from the workspace. The replays stand as measured. */
double *sca_call_waits_find(struct sca_workspace *space, const struct sca_stage *stage);

#endif
