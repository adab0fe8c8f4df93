#include "views/weighed.h"

#include <stdlib.h>

static int by_weight(const void *a, const void *b)
{
    const struct sca_weighed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

void sca_weighed_sort(struct sca_weighed *list, uint32_t n)
{
    if (n)
        qsort(list, n, sizeof *list, by_weight);
}

uint32_t sca_weighed_depth(const struct sca_ppg *ppg, const bool *shown, uint32_t vertex)
{
    uint32_t depth = 0;
    for (; vertex; vertex = ppg->vertices[vertex].parent)
        depth += shown[ppg->vertices[vertex].parent];
    return depth;
}
