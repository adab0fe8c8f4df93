#include "graph/context_node.h"
#include "sca_error.h"

#include <string.h>

static uint32_t failed(struct sca_contexts *g)
{
    g->status = SCA_ENOMEM;
    return 0;
}

const char *sca_knot_copy(struct sca_contexts *g, const char *text)
{
    const char *string = *text ? sca_arena_string(g->arena, text) : "";
    if (string)
        return string;
    failed(g);
    return "";
}

const char *sca_written_name(const char *function)
{
    bool fortran = !strcmp(function, "_QQmain") || !strcmp(function, "MAIN__");
    return fortran ? "main" : function;
}

static bool is_same(const struct sca_knot *a, const struct sca_knot *b)
{
    return a->shown.kind == b->shown.kind && a->function == b->function && a->vertex == b->vertex &&
           !strcmp(a->shown.name, b->shown.name) &&
           (a->shown.has_psg || !strcmp(a->shown.function, sca_written_name(b->shown.function)));
}

uint32_t sca_knot_append(struct sca_contexts *g, const struct sca_knot *wanted)
{
    if (g->status || sca_grow(&g->knots, sizeof *g->knots, g->count, &g->capacity))
        return failed(g);
    struct sca_knot *knot = &g->knots[g->count], *parent = &g->knots[wanted->shown.parent];
    *knot = *wanted;
    knot->shown.name = sca_knot_copy(g, wanted->shown.name);
    knot->shown.function = sca_knot_copy(g, sca_written_name(wanted->shown.function));
    knot->shown.file = sca_knot_copy(g, wanted->shown.file);
    knot->active_file = sca_knot_copy(g, wanted->active_file);
    knot->first_child = SCA_NONE;
    knot->next = SCA_NONE;
    if (g->count) {
        knot->next = parent->first_child;
        parent->first_child = g->count;
    }
    return g->count++;
}

uint32_t sca_knot_at(struct sca_contexts *g, const struct sca_knot *wanted)
{
    uint32_t child = g->knots ? g->knots[wanted->shown.parent].first_child : SCA_NONE;
    for (; child != SCA_NONE; child = g->knots[child].next)
        if (is_same(&g->knots[child], wanted))
            return child;
    return sca_knot_append(g, wanted);
}

struct sca_knot sca_knot_blank(uint32_t parent, uint32_t kind, const char *name)
{
    return (struct sca_knot){
        .shown = {.parent = parent, .kind = kind, .name = name, .function = "", .file = ""},
        .function = SCA_NO_FUNCTION,
        .active = SCA_NO_FUNCTION,
        .active_file = ""};
}
