#include "trace/trace_build.h"
#include "trace/segments.h"
#include "trace/window_trace.h"

void sca_trace_build(struct sca_workspace *ops, const struct sca_ppg_run *run,
                     struct sca_team *team, struct sca_traces *out)
{
    *out = (struct sca_traces){.team = team, .space.out_of_memory = ops->out_of_memory};
    if (run->nranks && sca_window_trace_play(&out->space, ops, run, out))
        return;
    sca_segments_walk(ops, run, SCA_EVENTS_APART, out);
}
