/*
 * The replay traces of a run: from its recorded windows, or, where none were recorded, from its
 * totals (replay_trace.h says what they hold).
 */
#ifndef SCA_DETECT_TRACE_BUILD_H
#define SCA_DETECT_TRACE_BUILD_H

#include "trace/replay_trace.h"

/* The tracks' ops live in `ops`, with what else is not needed any longer when the links stand. The
 * scenes' own room begins empty, and jumps where that of `ops` does. */
void sca_scenes_build(struct sca_room *ops, const struct sca_ppg_run *run, struct sca_team *team,
                      struct sca_scenes *out);

#endif
