#include "views/call_names.h"
#include "graph/same_place.h"

#include <string.h>

enum { MOST_NAMED = 3 }; /* calls around it */

/* The next call around a vertex; 0: there is none. */
static uint32_t call_around(const struct sca_ppg *ppg, uint32_t v)
{
    for (v = ppg->vertices[v].parent; v && ppg->vertices[v].kind != SCA_CALL;)
        v = ppg->vertices[v].parent;
    return v;
}

/* How many calls around the first must be named so that the second is not meant. */
static uint32_t calls_to_differ(const struct sca_ppg *ppg, uint32_t a, uint32_t b)
{
    uint32_t n = 0;
    bool same = true;
    while (same && n < MOST_NAMED && a && b) {
        a = call_around(ppg, a);
        b = call_around(ppg, b);
        same = a && b && sca_same_place_is(&ppg->vertices[a], &ppg->vertices[b]);
        n += a != 0;
    }
    return n;
}

const char *sca_call_name(struct sca_table *t, const struct sca_ppg *ppg, uint32_t vertex)
{
    if (vertex == SCA_NONE)
        return "call not known";
    const struct sca_ppg_vertex *place = &ppg->vertices[vertex];
    const char *name = sca_table_place(t, place);
    uint32_t named = 0;
    for (uint32_t v = 1; v < ppg->nvertices; v++)
        if (v != vertex && sca_same_place_is(place, &ppg->vertices[v])) {
            uint32_t n = calls_to_differ(ppg, vertex, v);
            named = n > named ? n : named;
        }
    for (uint32_t i = 0, at = call_around(ppg, vertex); i < named && at; i++) {
        const struct sca_ppg_vertex *call = &ppg->vertices[at];
        const char *slash = strrchr(call->file, '/');
        name = sca_table_text(t, "%s, %s %s:%u", name, i ? "from" : "called at",
                              slash ? slash + 1 : call->file, call->line);
        at = call_around(ppg, at);
    }
    return name;
}

const char *sca_call_path(struct sca_table *t, const struct sca_ppg *ppg, uint32_t v)
{
    const char *path = "";
    for (uint32_t u = ppg->vertices[v].parent; u; u = ppg->vertices[u].parent) {
        const struct sca_ppg_vertex *call = &ppg->vertices[u];
        if (call->kind == SCA_CALL)
            path = sca_table_text(t, " > %s (line %u)%s", call->name, call->line, path);
    }
    return sca_table_text(t, "%s%s", ppg->vertices[0].function, path);
}
