/*
 * The replay traces of a run: from its recorded windows, or, where none were recorded, from its
 * totals (replay_trace.h says what they hold).
 */
#ifndef SCA_DETECT_TRACE_BUILD_H
#define SCA_DETECT_TRACE_BUILD_H

#include "trace/replay_trace.h"

/* The sequences' ops live in `ops`, with what else is not needed any longer when the links stand.
 * The traces' own workspace begins empty, and jumps where that of `ops` does. */
void sca_trace_build(struct sca_workspace *ops, const struct sca_ppg_run *run,
                     struct sca_team *team, struct sca_traces *out);

#endif
