/*
 * The windows of a run hold some instances of each interval, and these take a little longer or
 * shorter than all of them: of a rank that is slow in every sixteenth step, few windows or too many
 * have a slow one. How long an interval takes a rank on the mean is known exactly, so its instances
 * are made longer or shorter by what the windows' mean is off by (a ratio estimate: Cochran,
 * Sampling Techniques, chapter 6).
 */
#ifndef SCA_DETECT_WINDOW_FIT_H
#define SCA_DETECT_WINDOW_FIT_H

#include "trace/local_calls.h"
#include "trace/replay_trace.h"

/* Changes the intervals of traces of windows; deviations are not known yet. Intervals at calls that
 * windows leave out stay as they are: how often they happened in a window is not known. `team`: the
 * traces are this process' share; NULL: they are all there are. Takes memory from the detours'. */
void sca_window_fit(struct sca_detours *detours, const struct sca_intervals *intervals,
                    struct sca_team *team, struct sca_trace *traces, uint32_t count);

#endif
