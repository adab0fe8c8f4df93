/*
 * A run's walk as traces. A long one is cut where all ranks leave a collective of the whole run
 * together: nobody waits across such a point for what came before it, so that the segments are
 * replayed by themselves, one after the other or at the same time, and their durations add up.
 */
#ifndef SCA_DETECT_SEGMENTS_H
#define SCA_DETECT_SEGMENTS_H

#include "trace/replay_trace.h"

enum {
    SCA_EVENTS_APART = 125000, /* in a segment, at least */
    SCA_WORTH_CUTTING = 8      /* segments: with fewer there is nothing to gain */
};

/* Cuts into segments of that many events, or more, as far as there are such collectives. Fills
 * `out` with numbered traces, in out->room; their operations live in `ops`. */
void sca_segments_walk(struct sca_workspace *ops, const struct sca_ppg_run *run,
                       uint32_t steps_apart, struct sca_traces *out);

#endif
