#include "psg/psg_link.h"
#include "sca_error.h"

#include <stdlib.h>

/* Tarjan's components without recursion: call chains of real programs are deep. */
struct walk {
    struct sca_program *program;
    uint32_t *index, *low; /* 0: not visited */
    uint32_t *stack, depth;
    uint32_t *path, *cursor, level; /* functions being walked, next vertex of each */
    bool *open;
    uint32_t visited, components;
};

static int walk_init(struct walk *w, struct sca_program *program)
{
    size_t n = program->nfunctions + 1;
    *w = (struct walk){.program = program};
    w->index = calloc(n * 5, sizeof *w->index);
    w->open = calloc(n, sizeof *w->open);
    if (!w->index || !w->open)
        return sca_fail(SCA_ENOMEM, "out of memory for the call graph");
    w->low = w->index + n;
    w->stack = w->low + n;
    w->path = w->stack + n;
    w->cursor = w->path + n;
    return SCA_OK;
}

static void enter(struct walk *w, uint32_t function)
{
    w->index[function] = w->low[function] = ++w->visited;
    w->stack[w->depth++] = function;
    w->open[function] = true;
    w->path[w->level] = function;
    w->cursor[w->level++] = 0;
}

static void close_component(struct walk *w, uint32_t function)
{
    uint32_t member;
    do {
        member = w->stack[--w->depth];
        w->open[member] = false;
        w->program->functions[member].component = w->components;
    } while (member != function);
    w->components++;
}

static void lower(struct walk *w, uint32_t function, uint32_t value)
{
    if (value < w->low[function])
        w->low[function] = value;
}

static void step(struct walk *w)
{
    uint32_t function = w->path[w->level - 1];
    const struct sca_program_function *f = &w->program->functions[function];
    while (w->cursor[w->level - 1] < f->local->nvertices) {
        uint32_t callee = f->callee[w->cursor[w->level - 1]++];
        if (callee == SCA_NO_FUNCTION)
            continue;
        if (!w->index[callee]) {
            enter(w, callee);
            return;
        }
        if (w->open[callee])
            lower(w, function, w->index[callee]);
    }
    if (w->low[function] == w->index[function])
        close_component(w, function);
    if (--w->level)
        lower(w, w->path[w->level - 1], w->low[function]);
}

static void mark_recursion(struct sca_program *program)
{
    for (uint32_t i = 0; i < program->nfunctions; i++) {
        struct sca_program_function *f = &program->functions[i];
        for (uint32_t v = 0; v < f->local->nvertices; v++) {
            uint32_t callee = f->callee[v];
            if (callee == SCA_NO_FUNCTION || program->functions[callee].component != f->component)
                continue;
            f->flags[v] |= SCA_VF_RECURSIVE;
            f->recursive = true;
        }
    }
}

int sca_psg_cycles(struct sca_program *program)
{
    struct walk w;
    int status = walk_init(&w, program);
    for (uint32_t f = 0; !status && f < program->nfunctions; f++) {
        if (w.index[f])
            continue;
        enter(&w, f);
        while (w.level)
            step(&w);
    }
    free(w.index);
    free(w.open);
    if (!status)
        mark_recursion(program);
    return status;
}

static int by_component(const void *a, const void *b)
{
    const struct sca_ordered_function *x = a, *y = b;
    return x->component < y->component ? -1 : x->component > y->component;
}

struct sca_ordered_function *sca_psg_cycles_callees_first(const struct sca_program *program)
{
    uint32_t n = program->nfunctions;
    struct sca_ordered_function *order = calloc(n + (size_t)1, sizeof *order);
    if (!order)
        return NULL;
    for (uint32_t f = 0; f < n; f++)
        order[f] = (struct sca_ordered_function){program->functions[f].component, f};
    qsort(order, n, sizeof *order, by_component);
    return order;
}
