#include "profile/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void sca_timeline_rank(struct sca_rank *rank, const struct sca_part_header *header,
                       const char *leader, const char *offset, const char *error)
{
    rank->clock = (uint32_t)strtoul(leader, NULL, 10);
    rank->clock_offset_ns = strtoll(offset, NULL, 10);
    rank->begin_ns = (int64_t)(header->init_ns + (uint64_t)rank->clock_offset_ns);
    rank->clock_error_ns = strtoull(error, NULL, 10);
    rank->clock_known = !leader[0] || offset[0];
}

/* What a clock lost or gained until Finalize, spread over the time its leader ran. */
static void read_drift(struct sca_profile *p, const struct sca_metadata *meta)
{
    uint32_t leader;
    int64_t last;
    uint64_t error;
    if (sscanf(meta->key, "clock.end.%" SCNu32, &leader) != 1 || leader >= p->nranks ||
        sscanf(meta->value, "%" SCNd64 " %" SCNu64, &last, &error) != 2)
        return;
    struct sca_rank *rank = &p->ranks[leader];
    if (rank->wall_ns)
        rank->drift = (double)(last - rank->clock_offset_ns) / (double)rank->wall_ns;
    if (error > rank->clock_error_ns)
        rank->clock_error_ns = error;
}

static void follow_leader(const struct sca_profile *p, struct sca_rank *rank)
{
    if (rank->clock < p->nranks) {
        rank->drift = p->ranks[rank->clock].drift;
        rank->clock_error_ns = p->ranks[rank->clock].clock_error_ns;
    }
}

void sca_timeline_finish(struct sca_profile *p)
{
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < p->nmeta; i++)
        read_drift(p, &p->meta[i]);
    for (uint32_t i = 0; i < p->nranks; i++) {
        struct sca_rank *rank = &p->ranks[i];
        if (rank->clock != i)
            follow_leader(p, rank);
        if (rank->present && rank->clock_known && rank->begin_ns < first)
            first = rank->begin_ns;
    }
    for (uint32_t i = 0; i < p->nranks; i++)
        if (p->ranks[i].present)
            p->ranks[i].begin_ns = p->ranks[i].clock_known ? p->ranks[i].begin_ns - first : 0;
}
