#include "graph/same_place.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    int order = compare_numbers(a->line, b->line);
    order = order ? order : compare_numbers(a->end_line, b->end_line);
    order = order ? order : compare_numbers(a->kind, b->kind);
    order = order ? order : strcmp(a->function, b->function);
    order = order ? order : strcmp(a->name, b->name);
    return order ? order : strcmp(a->file, b->file);
}

bool sca_same_place_is(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    return a->line && compare(a, b) == 0;
}

uint32_t sca_same_place(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t vertex,
                        uint32_t **out)
{
    const struct sca_ppg_vertex *all = ppg->vertices;
    uint32_t n = 1, i = 1;
    for (uint32_t v = 1; v < ppg->nvertices; v++)
        n += v != vertex && sca_same_place_is(&all[v], &all[vertex]);
    *out = sca_workspace_alloc(space, n, sizeof **out);
    (*out)[0] = vertex;
    for (uint32_t v = 1; v < ppg->nvertices; v++)
        if (v != vertex && sca_same_place_is(&all[v], &all[vertex]))
            (*out)[i++] = v;
    return n;
}

bool sca_same_place_is_inside(const struct sca_ppg *ppg, uint32_t vertex)
{
    for (uint32_t v = ppg->vertices[vertex].parent; v; v = ppg->vertices[v].parent)
        if (sca_same_place_is(&ppg->vertices[v], &ppg->vertices[vertex]))
            return true;
    return false;
}

static int by_place(const void *a, const void *b, void *vertices)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct sca_ppg_vertex *all = vertices;
    int order = compare(&all[x], &all[y]);
    return order ? order : compare_numbers(x, y);
}

void sca_same_place_fill(const struct sca_ppg *ppg, uint32_t *sorted, uint32_t *place)
{
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        sorted[v] = v;
    qsort_r(sorted, ppg->nvertices, sizeof *sorted, by_place, ppg->vertices);
    for (uint32_t i = 0; i < ppg->nvertices; i++) {
        uint32_t v = sorted[i], before = i ? sorted[i - 1] : v;
        bool same = i && sca_same_place_is(&ppg->vertices[before], &ppg->vertices[v]);
        place[v] = same ? place[before] : v;
    }
}

uint32_t *sca_same_place_find(struct sca_workspace *space, const struct sca_ppg *ppg)
{
    uint32_t *sorted = sca_workspace_alloc(space, ppg->nvertices, sizeof *sorted);
    uint32_t *place = sca_workspace_alloc(space, ppg->nvertices, sizeof *place);
    sca_same_place_fill(ppg, sorted, place);
    return place;
}
