/*
 * A trace from a run's totals: see replay_trace.h. Long runs are shortened by a common factor,
 * which becomes the trace's weight; totals of time stay exact.
 */
#ifndef SCA_DETECT_TRACE_SYNTHESIS_H
#define SCA_DETECT_TRACE_SYNTHESIS_H

#include "trace/replay_trace.h"

struct sca_walk {
    const struct sca_profile *profile;
    struct sca_opened *opened;
    double factor;        /* by which the walk is shorter than the run: its traces' weight */
    const bool *left_out; /* per site: its calls, and what leads to them; NULL: none */
};

/* Lives in the workspace. */
void sca_trace_synthesis_open(struct sca_workspace *space, const struct sca_profile *profile,
                              struct sca_walk *out);
/* One rank's sequence, all of it in the workspace. Returns the computation that the walk does not
 * reach, seconds. */
double sca_trace_synthesis_of_rank(const struct sca_walk *walk, struct sca_workspace *space,
                                   uint32_t rank, struct sca_event_sequence *sequence);

/* Computation of an interval in own time (CPU time and what the program itself blocked for). */
double sca_trace_synthesis_seconds(const struct sca_part_interval *interval);

/* Whether totals leave no doubt of the order on any rank: after nearly every call the same one
 * comes next. */
bool sca_trace_synthesis_is_certain(struct sca_workspace *space, const struct sca_profile *profile);

#endif
