/*
 * The replay of slices of recorded windows, one of each rank: virtual time, in which each rank has
 * a core of its own and messages take no time. Nothing is fitted to the run's totals: computation
 * is what the rank took there. A message from outside the slices is there at once.
 */
#ifndef SCA_DETECT_SLICE_REPLAY_H
#define SCA_DETECT_SLICE_REPLAY_H

#include "replay/replay.h"
#include "timeline/iterations.h"
#include "trace/local_calls.h"

/* Sees the calls of a slice in order, on from window to window. The rank is open. */
typedef void sca_slice_visit(void *context, const struct sca_window *window,
                             const struct sca_event *event);
void sca_slice_walk(const struct sca_rank *rank, const struct sca_slice *slice,
                    sca_slice_visit *visit, void *context);

/* The site before the slice's first call. Where it is not known: loops go round, so that it is like
 * the last one's. `detours` are at the rank, which is open. */
uint32_t sca_slice_call_before(struct sca_detours *detours, const struct sca_rank *rank,
                               const struct sca_slice *slice);

/* Computation before each call, over all iterations of one kind. */
struct sca_kind_times {
    double *mean, *most; /* by place, as in the representative's replay: rank by rank */
};

struct sca_slice_replay {
    struct sca_trace trace;
    struct sca_replay replay; /* it has run */
};

/* `first`: of the representative's trace. In `space`. */
void sca_kind_times_sum(struct sca_workspace *space, const struct sca_ppg_run *run,
                        const struct sca_loop_iterations *iterations, uint32_t kind,
                        const struct sca_trace *trace, struct sca_kind_times *out);

/* In `space`; slices: [nranks] of the run. */
void sca_slice_replay_make(struct sca_workspace *space, const struct sca_ppg_run *run,
                           const struct sca_slice *slices, struct sca_slice_replay *out);

#endif
