#include "graph/same_place.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_code(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    int order = compare_numbers(a->line, b->line);
    order = order ? order : compare_numbers(a->end_line, b->end_line);
    order = order ? order : compare_numbers(a->kind, b->kind);
    order = order ? order : strcmp(a->function, b->function);
    order = order ? order : strcmp(a->name, b->name);
    return order ? order : strcmp(a->file, b->file);
}

static int compare(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    int order = compare_code(a, b);
    return order ? order : compare_numbers(a->nested, b->nested);
}

/* The nearest around it that stands in the same lines of the same code; 0: none does. What is
 * called there is code of its own. */
static uint32_t alike_around(const struct sca_ppg_vertex *vertices, uint32_t vertex)
{
    uint32_t v = vertices[vertex].parent;
    while (v && vertices[v].kind != SCA_CALL && compare_code(&vertices[v], &vertices[vertex]) != 0)
        v = vertices[v].parent;
    return vertices[v].kind == SCA_CALL ? 0 : v;
}

void sca_same_place_number(struct sca_ppg_vertex *vertices, uint32_t n)
{
    for (uint32_t v = 1; v < n; v++) {
        uint32_t around = vertices[v].line ? alike_around(vertices, v) : 0;
        vertices[v].nested = around ? vertices[around].nested + 1 : 0;
    }
}

bool sca_same_place_is(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    return a->line && compare(a, b) == 0;
}

/* The outermost of the same place that the vertex is or lies in. */
static uint32_t outermost(const struct sca_ppg *ppg, uint32_t vertex)
{
    uint32_t top = vertex;
    for (uint32_t v = ppg->vertices[vertex].parent; v; v = ppg->vertices[v].parent)
        if (sca_same_place_is(&ppg->vertices[v], &ppg->vertices[vertex]))
            top = v;
    return top;
}

bool sca_same_place_is_inside(const struct sca_ppg *ppg, uint32_t vertex)
{
    return outermost(ppg, vertex) != vertex;
}

static bool is_path_to(const struct sca_ppg *ppg, uint32_t vertex, uint32_t top)
{
    return vertex != top && sca_same_place_is(&ppg->vertices[vertex], &ppg->vertices[top]) &&
           !sca_same_place_is_inside(ppg, vertex);
}

uint32_t sca_same_place(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t vertex,
                        uint32_t **out)
{
    uint32_t n = 1, i = 1, top = outermost(ppg, vertex);
    for (uint32_t v = 1; v < ppg->nvertices; v++)
        n += is_path_to(ppg, v, top);
    *out = sca_workspace_alloc(space, n, sizeof **out);
    (*out)[0] = top;
    for (uint32_t v = 1; v < ppg->nvertices && i < n; v++)
        if (is_path_to(ppg, v, top))
            (*out)[i++] = v;
    return n;
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
