#include "trace/trace_build.h"
#include "trace/segments.h"
#include "trace/window_trace.h"

void sca_scenes_build(struct sca_room *ops, const struct sca_ppg_run *run, struct sca_team *team,
                      struct sca_scenes *out)
{
    *out = (struct sca_scenes){.team = team, .room.out_of_memory = ops->out_of_memory};
    if (run->nranks && sca_recorded_play(&out->room, ops, run, out))
        return;
    sca_segments_walk(ops, run, SCA_STEPS_APART, out);
}
