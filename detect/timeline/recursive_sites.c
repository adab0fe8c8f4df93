#include "timeline/recursive_sites.h"

static bool passes(const struct sca_ppg_run *run, uint32_t node, uint32_t vertex)
{
    while (node != SCA_NONE && run->node_vertex[node] != vertex)
        node = run->profile->nodes[node].parent;
    return node != SCA_NONE;
}

/* Outer frames come last. */
static uint32_t passed_twice(const struct sca_ppg_run *run, uint32_t node)
{
    uint32_t found = SCA_NONE;
    for (; node != SCA_NONE; node = run->profile->nodes[node].parent) {
        uint32_t vertex = run->node_vertex[node];
        if (vertex && vertex != SCA_NONE && passes(run, run->profile->nodes[node].parent, vertex))
            found = vertex;
    }
    return found;
}

const uint32_t *sca_recursive_sites(struct sca_workspace *space, const struct sca_ppg_run *run)
{
    const struct sca_profile *p = run->profile;
    uint32_t *of = sca_workspace_alloc(space, p->nsites, sizeof *of);
    for (uint32_t s = 0; s < p->nsites; s++)
        of[s] = p->sites[s].node < p->nnodes ? passed_twice(run, p->sites[s].node) : SCA_NONE;
    return of;
}
