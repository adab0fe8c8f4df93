#include "library/collective_edges.h"
#include "trace/replay_trace.h"

#include <math.h>

static bool is_lock(const struct sca_collective_edges *walk)
{
    uint32_t site = walk->rank->collectives[walk->row].site;
    return sca_lock_shape(walk->run->profile->sites[site].function) >= 0;
}

static bool find_row(struct sca_collective_edges *walk)
{
    while (!walk->rank || walk->row == walk->rank->ncollectives || is_lock(walk)) {
        if (walk->rank && walk->row < walk->rank->ncollectives) {
            walk->row++;
            continue;
        }
        if (walk->next == walk->last)
            return false;
        walk->rank = sca_rank_open(walk->opened, walk->next++, SCA_OPEN_COLLECTIVES);
        walk->row = 0;
    }
    return true;
}

bool sca_collective_edges_next(struct sca_collective_edges *walk, struct scalana_edge *out)
{
    if (!find_row(walk))
        return false;
    const struct sca_part_collective *at = &walk->rank->collectives[walk->row++];
    uint32_t context = walk->run->site_vertex[at->site];
    *out = (struct scalana_edge){.kind = SCALANA_EDGE_COLLECTIVE,
                                 .from_context = SCALANA_NONE,
                                 .from_location = at->root < 0 ? SCALANA_NONE : (uint32_t)at->root,
                                 .to_context = context == SCA_NONE ? 0 : context,
                                 .to_location = walk->next - 1,
                                 .messages = at->count,
                                 .bytes = at->bytes,
                                 .late_s = (double)NAN,
                                 .group = at->comm < walk->run->profile->ncomms ? at->comm
                                                                                : SCALANA_NONE,
                                 .from_thread = SCALANA_NONE,
                                 .to_thread = SCALANA_NONE,
                                 .lock = ""};
    return true;
}
