#include "inspect/inspect.h"

#include <stdio.h>

static void print_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
}

static const char *shape(enum sca_vertex_kind kind)
{
    static const char *const shapes[] = {"house", "ellipse",       "diamond",
                                         "box",   "doubleoctagon", "note"};
    return shapes[kind];
}

static bool is_shown(const struct sca_program_function *f, uint32_t v, bool contracted)
{
    return contracted ? f->kept[v] == v : f->whole[v] == v;
}

static uint32_t shown_parent(const struct sca_program_function *f, uint32_t v, bool contracted)
{
    uint32_t p = f->local->vertices[v].parent;
    while (contracted && p && (f->kept[p] != p || f->kind[p] == SCA_COMP))
        p = f->local->vertices[p].parent;
    return p;
}

static void print_node(uint32_t index, const struct sca_program_function *f, uint32_t v,
                       bool contracted)
{
    enum sca_vertex_kind kind = contracted ? f->kind[v] : f->local->vertices[v].kind;
    uint32_t first, last = f->local->vertices[v].end_line;
    sca_inspect_merged_lines(f, v, &first, &last);
    printf("    c%d_f%u_v%u [shape=%s, label=\"", contracted, index, v, shape(kind));
    print_quoted(sca_inspect_vertex_label(f, v, contracted));
    printf("\\n%u", contracted ? first : f->local->vertices[v].line);
    printf("\"];\n");
}

/* Nesting as solid edges, execution order as dashed ones between siblings. */
static void print_edges(uint32_t index, const struct sca_program_function *f, bool contracted)
{
    const struct sca_vertex *vertices = f->local->vertices;
    for (uint32_t v = 1; v < f->local->nvertices; v++) {
        if (!is_shown(f, v, contracted))
            continue;
        uint32_t p = shown_parent(f, v, contracted), before = v;
        printf("    c%d_f%u_v%u -> c%d_f%u_v%u;\n", contracted, index, p, contracted, index, v);
        while (--before > p)
            if (is_shown(f, before, contracted) && shown_parent(f, before, contracted) == p &&
                vertices[before].arm == vertices[v].arm)
                break;
        if (before > p)
            printf("    c%d_f%u_v%u -> c%d_f%u_v%u [style=dashed, constraint=false];\n", contracted,
                   index, before, contracted, index, v);
    }
}

static void print_function(const struct sca_program *program, uint32_t index, bool contracted)
{
    const struct sca_program_function *f = &program->functions[index];
    printf("  subgraph cluster_c%d_f%u {\n    label=\"", contracted, index);
    print_quoted(f->local->name);
    printf(contracted ? " (contracted)\";\n" : "\";\n");
    for (uint32_t v = 0; v < f->local->nvertices; v++)
        if (is_shown(f, v, contracted))
            print_node(index, f, v, contracted);
    print_edges(index, f, contracted);
    printf("  }\n");
}

static void print_calls(const struct sca_program *program, uint32_t index, bool contracted)
{
    const struct sca_program_function *f = &program->functions[index];
    for (uint32_t v = 0; v < f->local->nvertices; v++)
        if (f->callee[v] != SCA_NO_FUNCTION && is_shown(f, v, contracted) &&
            (!contracted || f->kind[v] == SCA_CALL))
            printf("  c%d_f%u_v%u -> c%d_f%u_v0 [style=bold, color=blue];\n", contracted, index, v,
                   contracted, f->callee[v]);
}

void sca_dump_dot(const struct sca_program *program)
{
    for (int contracted = 0; contracted < 2; contracted++) {
        printf("digraph %s_contraction {\n", contracted ? "after" : "before");
        for (uint32_t f = 0; f < program->nfunctions; f++)
            print_function(program, f, contracted);
        for (uint32_t f = 0; f < program->nfunctions; f++)
            print_calls(program, f, contracted);
        printf("}\n");
    }
}
