#include "graph/context_node.h"
#include "sca_error.h"

#include <string.h>

static uint32_t failed(struct sca_contexts *g)
{
    g->status = SCA_ENOMEM;
    return 0;
}

const char *sca_context_node_copy(struct sca_contexts *g, const char *text)
{
    const char *string = *text ? sca_arena_string(g->arena, text) : "";
    if (string)
        return string;
    failed(g);
    return "";
}

const char *sca_context_node_written_name(const char *function)
{
    bool fortran = !strcmp(function, "_QQmain") || !strcmp(function, "MAIN__");
    return fortran ? "main" : function;
}

static bool is_same(const struct sca_context_node *a, const struct sca_context_node *b)
{
    return a->shown.kind == b->shown.kind && a->function == b->function && a->vertex == b->vertex &&
           !strcmp(a->shown.name, b->shown.name) &&
           (a->shown.has_psg ||
            !strcmp(a->shown.function, sca_context_node_written_name(b->shown.function)));
}

uint32_t sca_context_node_append(struct sca_contexts *g, const struct sca_context_node *wanted)
{
    if (g->status || sca_arena_grow(&g->nodes, sizeof *g->nodes, g->count, &g->capacity))
        return failed(g);
    struct sca_context_node *node = &g->nodes[g->count], *parent = &g->nodes[wanted->shown.parent];
    *node = *wanted;
    node->shown.name = sca_context_node_copy(g, wanted->shown.name);
    node->shown.function =
        sca_context_node_copy(g, sca_context_node_written_name(wanted->shown.function));
    node->shown.file = sca_context_node_copy(g, wanted->shown.file);
    node->active_file = sca_context_node_copy(g, wanted->active_file);
    node->first_child = SCA_NONE;
    node->next = SCA_NONE;
    if (g->count) {
        node->next = parent->first_child;
        parent->first_child = g->count;
    }
    return g->count++;
}

uint32_t sca_context_node_at(struct sca_contexts *g, const struct sca_context_node *wanted)
{
    uint32_t child = g->nodes ? g->nodes[wanted->shown.parent].first_child : SCA_NONE;
    for (; child != SCA_NONE; child = g->nodes[child].next)
        if (is_same(&g->nodes[child], wanted))
            return child;
    return sca_context_node_append(g, wanted);
}

struct sca_context_node sca_context_node_blank(uint32_t parent, uint32_t kind, const char *name)
{
    return (struct sca_context_node){
        .shown = {.parent = parent, .kind = kind, .name = name, .function = "", .file = ""},
        .function = SCA_NO_FUNCTION,
        .active = SCA_NO_FUNCTION,
        .active_file = ""};
}
