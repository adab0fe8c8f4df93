/*
 * What no recorded window leads to: set-up and what comes after the iterations, or parts of long
 * iterations that were not kept. Their calls are walked by the run's totals (trace_synthesis.h), a
 * trace of their own beside those of the windows; that calls which windows do show lie in between
 * is left out.
 */
#ifndef SCA_DETECT_REST_WALK_H
#define SCA_DETECT_REST_WALK_H

#include "trace/replay_trace.h"

/* `shown`: per site, whether a window leads to it. Operations live in `ops`, all else in `space`.
 * The trace is not numbered yet, and deviations are not known. */
void sca_rest_walk_make(struct sca_workspace *space, struct sca_workspace *ops,
                        const struct sca_profile *profile, const bool *shown,
                        struct sca_trace *out);

#endif
