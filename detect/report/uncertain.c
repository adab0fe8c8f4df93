#include "report/uncertain.h"

static bool is_start_unknown(const struct sca_node *node)
{
    return !node->parent && node->module == SCA_NONE && !node->offset;
}

/* A node's own, and what it has from its parent. */
static uint8_t flags_of(const struct sca_node *node, const uint8_t *nodes)
{
    uint8_t own = node->kind & SCA_NODE_GUESSED ? SCA_PATH_GUESSED : 0;
    if (is_start_unknown(node))
        own |= SCA_PATH_CUT;
    return own | nodes[node->parent];
}

const uint8_t *sca_uncertain_vertices(const struct sca_analysis *c, const struct sca_ppg_run *run)
{
    const struct sca_profile *p = run->profile;
    uint8_t *nodes = sca_workspace_alloc(c->space, p->nnodes + 1ul, sizeof *nodes);
    uint8_t *vertices = sca_workspace_alloc(c->space, c->ppg->nvertices + 1ul, sizeof *vertices);
    for (uint32_t n = 1; n < p->nnodes; n++) {
        nodes[n] = flags_of(&p->nodes[n], nodes);
        if (run->node_vertex[n] < c->ppg->nvertices)
            vertices[run->node_vertex[n]] |= nodes[n];
    }
    return vertices;
}

bool sca_uncertain_cause(const struct sca_finding *cause, const uint8_t *vertices,
                         enum sca_uncertain how)
{
    for (uint32_t i = 0; i < cause->nvertices; i++)
        if (vertices[cause->vertices[i]] & how)
            return true;
    return vertices[cause->vertex] & how;
}

void sca_uncertain_fill(struct sca_analysis *c)
{
    const uint8_t *vertices = sca_uncertain_vertices(c, c->measures[c->last].run);
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        if (sca_uncertain_cause(cause, vertices, SCA_PATH_GUESSED))
            c->report->causes[i].uncertain_path = "guessed";
        else if (sca_uncertain_cause(cause, vertices, SCA_PATH_CUT))
            c->report->causes[i].uncertain_path = "cut";
    }
}
