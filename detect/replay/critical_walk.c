#include "replay/critical_walk.h"
#include "trace/completion.h"

/* Who polls would have gone on with its work, and is critical itself. */
static bool polls(const struct sca_critical_walk *walk, uint32_t event)
{
    uint32_t site = sca_replay_event(walk->replay, event).site;
    return site < walk->profile->nsites &&
           sca_completion_polls(walk->profile->sites[site].function);
}

void sca_critical_walk_begin(struct sca_critical_walk *walk, const struct sca_replay *replay,
                             const struct sca_profile *profile)
{
    uint32_t n = replay->trace->nevents, last = n ? replay->order[n - 1] : SCA_NO_EVENT;
    for (uint32_t i = 0; i < n; i++)
        if (sca_replay_exit(replay, replay->order[i]) > sca_replay_exit(replay, last))
            last = replay->order[i];
    *walk = (struct sca_critical_walk){replay, profile, last, n};
}

uint32_t sca_critical_walk_next(struct sca_critical_walk *walk)
{
    uint32_t event = walk->at;
    if (event == SCA_NO_EVENT || !walk->left)
        return SCA_NO_EVENT;
    walk->left--;
    if (walk->replay->waited_for[event] != SCA_NO_EVENT && !polls(walk, event))
        event = walk->replay->waited_for[event];
    walk->at = sca_replay_before(walk->replay, event);
    return event;
}
