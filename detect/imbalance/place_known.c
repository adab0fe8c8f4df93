#include "imbalance/place_known.h"
#include "graph/same_place.h"

bool sca_place_known_has(const struct sca_ppg *ppg, const struct sca_finding_list *known,
                         uint32_t vertex)
{
    for (uint32_t i = 0; i < known->count; i++)
        if (known->items[i]->vertex == vertex ||
            sca_same_place_is(&ppg->vertices[known->items[i]->vertex], &ppg->vertices[vertex]))
            return true;
    return false;
}

/* Whether two findings are of one rank, and the place of one lies in the other's. */
static bool meet(const uint32_t *ends, const struct sca_finding *a, const struct sca_finding *b)
{
    bool nested = false, rank = false;
    for (uint32_t k = 0; k < a->nvertices; k++)
        for (uint32_t i = 0; i < b->nvertices; i++) {
            uint32_t v = a->vertices[k], w = b->vertices[i];
            nested |= (v >= w && v < ends[w]) || (w >= v && w < ends[v]);
        }
    for (uint32_t i = 0; i < a->nranks; i++)
        rank |= sca_finding_has_rank(b, a->ranks[i]);
    return nested && rank;
}

const struct sca_finding *sca_place_known_find(const uint32_t *ends,
                                               const struct sca_finding_list *known,
                                               const struct sca_finding *draft)
{
    for (uint32_t i = 0; i < known->count; i++)
        if (meet(ends, draft, known->items[i]))
            return known->items[i];
    return NULL;
}
