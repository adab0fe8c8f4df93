/*
 * Scenes from recorded windows: one for each window that all ranks kept, or one in which they
 * follow each other (window_sequence.h). They stand for the run only where they show most of its
 * computation.
 */
#ifndef SCA_DETECT_WINDOW_TRACE_H
#define SCA_DETECT_WINDOW_TRACE_H

#include "trace/replay_trace.h"

/* False: the windows do not stand for the run, and nothing was made. Operations live in `ops`. */
bool sca_window_trace_play(struct sca_workspace *space, struct sca_workspace *ops,
                           const struct sca_ppg_run *run, struct sca_traces *out);

#endif
