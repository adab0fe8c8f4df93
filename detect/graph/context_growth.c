#include "graph/context_growth.h"
#include "graph/context_node.h"
#include "graph/mpi_function.h"
#include "sca_binary.h"
#include "sca_function_name.h"
#include "symbols/tail_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places in a function's graph ---- */

static const struct sca_program_function *graph(const struct sca_contexts *g, uint32_t function)
{
    return &g->program->functions[function];
}

/* Contraction left it as a vertex that can hold others. */
static bool is_structure(const struct sca_program_function *f, uint32_t v)
{
    return f->kept[v] == v && f->kind[v] != SCA_COMP;
}

static uint32_t anchor_of(const struct sca_program_function *f, uint32_t v)
{
    do
        v = f->local->vertices[v].parent;
    while (v && !is_structure(f, v));
    return v;
}

/* Which side of its anchor, a Branch, the vertex lies on. */
static uint32_t arm_of(const struct sca_program_function *f, uint32_t v, uint32_t anchor)
{
    while (f->local->vertices[v].parent != anchor && v)
        v = f->local->vertices[v].parent;
    return f->local->vertices[v].arm;
}

/* A loop that holds nothing but computation is one vertex: its body's samples are its own. */
static bool is_plain_loop(const struct sca_program_function *f, uint32_t v)
{
    if (!v || f->kind[v] != SCA_LOOP)
        return false;
    for (uint32_t w = v + 1; w < f->local->nvertices && f->local->vertices[w].parent >= v; w++)
        if (is_structure(f, w))
            return false;
    return true;
}

static uint32_t graph_vertex(struct sca_contexts *g, uint32_t base, uint32_t function, uint32_t v);

static uint32_t below_anchor(struct sca_contexts *g, uint32_t base, uint32_t function, uint32_t v)
{
    return graph_vertex(g, base, function, anchor_of(graph(g, function), v));
}

static struct sca_context_node graph_node(struct sca_contexts *g, uint32_t base, uint32_t function,
                                          uint32_t v, uint32_t kind, const char *name)
{
    const struct sca_program_function *f = graph(g, function);
    const struct sca_vertex *local = &f->local->vertices[v];
    struct sca_context_node node =
        sca_context_node_blank(below_anchor(g, base, function, v), kind, name);
    node.function = function;
    node.vertex = v;
    node.shown.order = v;
    node.shown.arm = arm_of(f, v, anchor_of(f, v));
    node.shown.function = f->local->name;
    node.shown.file = local->file < f->local->nfiles ? f->local->files[local->file] : "";
    node.shown.line = local->line;
    node.shown.end_line = local->end_line;
    node.shown.has_psg = true;
    node.shown.near = local->flags & SCA_VF_NEAR;
    return node;
}

static bool is_framework(const struct sca_contexts *g, uint32_t function)
{
    return function != SCA_NO_FUNCTION && g->contraction->framework[function];
}

/* The tree vertex of a vertex that contraction kept, below its function's activation. Of a
 * framework the call that starts it is all there is. */
static uint32_t graph_vertex(struct sca_contexts *g, uint32_t base, uint32_t function, uint32_t v)
{
    if (!v || is_framework(g, function))
        return base;
    uint32_t kind = graph(g, function)->kind[v];
    struct sca_context_node node = graph_node(g, base, function, v, kind, "");
    return sca_context_node_at(g, &node);
}

/* A call or MPI call at a frame. Where the id led to other than a call (a loop, a run of Comp) it
 * hangs below the structure there and takes the frame's line. */
static struct sca_context_node call_at(struct sca_contexts *g, const struct sca_spot *spot,
                                       uint32_t kind, const char *name)
{
    const struct sca_frame *at = spot->frame;
    uint32_t f = at->function, v = at->vertex;
    struct sca_context_node node = graph_node(g, spot->base, f, v, kind, name);
    uint32_t local = graph(g, f)->local->vertices[v].kind;
    if (local == SCA_CALL || local == SCA_MPI)
        return node;
    if (is_structure(graph(g, f), v)) {
        node.shown.parent = graph_vertex(g, spot->base, f, v);
        node.shown.arm = 0;
    }
    node.shown.line = node.shown.end_line = at->line;
    if (*at->file)
        node.shown.file = at->file;
    return node;
}

static struct sca_context_node plain_at(const struct sca_spot *spot, uint32_t kind,
                                        const char *name)
{
    struct sca_context_node node = sca_context_node_blank(spot->base, kind, name);
    if (!spot->frame)
        return node;
    node.vertex = node.shown.order = spot->frame->line;
    node.shown.line = node.shown.end_line = spot->frame->line;
    node.shown.function = spot->frame->name;
    node.shown.file = spot->frame->file;
    return node;
}

static struct sca_context_node node_at(struct sca_contexts *g, const struct sca_spot *spot,
                                       uint32_t kind, const char *name)
{
    if (spot->frame && spot->frame->function != SCA_NO_FUNCTION)
        return call_at(g, spot, kind, name);
    return plain_at(spot, kind, name);
}

/* ---- activations ---- */

static bool is_active(const struct sca_context_node *node, const struct sca_frame *callee)
{
    if (node->shown.kind != SCA_CALL && node->shown.kind != SCA_ROOT)
        return false;
    if (callee->function != SCA_NO_FUNCTION || node->active != SCA_NO_FUNCTION)
        return node->active == callee->function;
    const char *name = node->shown.kind == SCA_ROOT ? node->shown.function : node->shown.name;
    return !strcmp(name, callee->name) && !strcmp(node->active_file, callee->file);
}

void sca_context_growth_init(struct sca_contexts *g, struct sca_arena *arena,
                             const struct sca_program *program,
                             const struct sca_contraction *contraction, struct sca_inners *inners,
                             const char *name)
{
    *g = (struct sca_contexts){
        .arena = arena, .program = program, .contraction = contraction, .inners = inners};
    *inners = (struct sca_inners){.arena = arena};
    struct sca_context_node root = sca_context_node_blank(0, SCA_ROOT, name);
    sca_context_node_append(g, &root);
}

void sca_context_growth_main(struct sca_contexts *g, const struct sca_frame *frame)
{
    struct sca_context_node *root = g->nodes;
    if (!root || (*root->shown.function && root->active == frame->function))
        return;
    root->active = frame->function;
    root->active_file = sca_context_node_copy(g, frame->file);
    root->shown.function = sca_context_node_copy(g, sca_context_node_written_name(frame->name));
    root->shown.file = root->active_file;
    if (frame->function == SCA_NO_FUNCTION)
        return;
    const struct sca_function *f = graph(g, frame->function)->local;
    root->shown.line = f->vertices[0].line;
    root->shown.end_line = f->vertices[0].end_line;
    root->shown.has_psg = true;
    if (f->vertices[0].file < f->nfiles)
        root->shown.file = sca_context_node_copy(g, f->files[f->vertices[0].file]);
}

static uint32_t activate(struct sca_contexts *g, struct sca_context_node *call,
                         const struct sca_frame *callee)
{
    call->active = callee->function;
    call->active_file = callee->file;
    call->shown.drives = is_framework(g, callee->function);
    uint32_t index = sca_context_node_at(g, call);
    if (!g->status && g->nodes[index].active == SCA_NO_FUNCTION) { /* seen as a mere call so far */
        g->nodes[index].active = callee->function;
        g->nodes[index].shown.drives = call->shown.drives;
    }
    return index;
}

/* The body of a parallel region that GCC has made a function is called as the one that it stands in
 * was written. Its mark says that it is a region (sca_function_name.h). */
static const char *called_name(struct sca_contexts *g, const struct sca_frame *callee)
{
    if (callee->function == SCA_NO_FUNCTION || sca_function_name_is_region(callee->name))
        return callee->name;
    const char *linkage = graph(g, callee->function)->local->linkage;
    const char *mark = sca_function_name_region_mark(linkage);
    char marked[SCA_FUNCTION_NAME];
    if (!mark)
        return callee->name;
    snprintf(marked, sizeof marked, "%.*s%s", SCA_FUNCTION_NAME / 2, callee->name, mark);
    return sca_context_node_copy(g, marked);
}

uint32_t sca_context_growth_call(struct sca_contexts *g, const struct sca_spot *spot,
                                 const struct sca_frame *callee)
{
    if (g->status)
        return 0;
    for (uint32_t up = spot->base;; up = g->nodes[up].shown.parent) {
        if (is_active(&g->nodes[up], callee))
            return up;
        if (!up)
            break;
    }
    struct sca_spot last = *spot;
    struct sca_frame missing;
    if (spot->frame && sca_tail_call(g->program, spot->frame, callee, &missing))
        last = (struct sca_spot){.base = sca_context_growth_call(g, spot, &missing),
                                 .frame = &missing};
    struct sca_context_node call = node_at(g, &last, SCA_CALL, called_name(g, callee));
    return activate(g, &call, callee);
}

/* "solve.omp_outlined" was outlined from "solve". */
static uint32_t find_origin(const struct sca_contexts *g, const char *name)
{
    const char *mark = strstr(name, ".omp_outlined");
    size_t length = mark ? (size_t)(mark - name) : 0;
    for (uint32_t i = 0; length && i < g->count; i++) {
        const struct sca_ppg_vertex *v = &g->nodes[i].shown;
        const char *active = v->kind == SCA_ROOT ? v->function : v->name;
        if ((v->kind == SCA_ROOT || v->kind == SCA_CALL) && !strncmp(active, name, length) &&
            !active[length])
            return i;
    }
    return 0;
}

uint32_t sca_context_growth_thread(struct sca_contexts *g, const struct sca_frame *callee)
{
    if (g->status)
        return 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (is_active(&g->nodes[i], callee))
            return i;
    struct sca_context_node call =
        sca_context_node_blank(find_origin(g, callee->name), SCA_CALL, called_name(g, callee));
    call.shown.file = callee->file;
    call.shown.line = call.shown.end_line = callee->line;
    if (callee->function != SCA_NO_FUNCTION) {
        const struct sca_vertex *root = graph(g, callee->function)->local->vertices;
        call.shown.line = root->line;
        call.shown.end_line = root->end_line;
    }
    call.shown.function = callee->name;
    call.shown.order = call.vertex = call.shown.line;
    return activate(g, &call, callee);
}

/* ---- what a path ends in ---- */

/* Whether the path goes through code without a graph, which may go round: it ends there, or in what
 * that code calls back. */
static bool is_foreign(const struct sca_contexts *g, const struct sca_spot *spot)
{
    uint32_t inner = spot->inner;
    while (inner && !g->inners->items[inner].foreign)
        inner = g->inners->items[inner].parent;
    return inner != 0;
}

/* What is called has no graph: its linkage name is all that the caller knows. */
static const char *written_name(struct sca_contexts *g, const char *linkage)
{
    char *written = sca_symbol_table_written(linkage);
    const char *name = written && *written ? sca_context_node_copy(g, written) : linkage;
    free(written);
    return name;
}

static struct sca_context_node call_in_graph(struct sca_contexts *g, const struct sca_spot *spot,
                                             uint32_t v)
{
    const struct sca_program_function *f = graph(g, spot->frame->function);
    const char *name = f->local->vertices[v].callee;
    if (f->callee[v] != SCA_NO_FUNCTION)
        name = graph(g, f->callee[v])->local->name;
    else if (!strncmp(name, "_Z", 2))
        name = written_name(g, name);
    return graph_node(g, spot->base, spot->frame->function, v, SCA_CALL,
                      *name ? name : "(indirect call)");
}

/* Setting an MPI call up is its surroundings' computation, and so is what an indirect call led to
 * that is part of its caller. */
static uint32_t sample_in_graph(struct sca_contexts *g, const struct sca_spot *spot)
{
    uint32_t function = spot->frame->function, local = spot->frame->vertex;
    const struct sca_program_function *f = graph(g, function);
    uint32_t v = f->kept[local], anchor = v ? anchor_of(f, v) : 0;
    bool call = f->kind[v] == SCA_CALL && !spot->inner;
    bool foreign = f->local->vertices[local].kind == SCA_CALL && is_foreign(g, spot);
    if (f->kind[v] == SCA_MPI || (f->kind[v] == SCA_CALL && !call) ||
        (f->kind[v] == SCA_COMP && is_plain_loop(f, anchor)))
        v = anchor;
    else if (f->kind[v] == SCA_COMP && foreign && !is_framework(g, function))
        call = (v = local);
    if (!call)
        return graph_vertex(g, spot->base, function, v);
    struct sca_context_node node = call_in_graph(g, spot, v);
    return sca_context_node_at(g, &node);
}

uint32_t sca_context_growth_sample(struct sca_contexts *g, const struct sca_spot *spot)
{
    if (g->status || !spot->frame)
        return spot->base;
    if (spot->frame->function != SCA_NO_FUNCTION)
        return sample_in_graph(g, spot);
    if (!spot->frame->line)
        return spot->base;
    struct sca_context_node node = plain_at(spot, SCA_COMP, "");
    return sca_context_node_at(g, &node);
}

uint32_t sca_context_growth_mpi(struct sca_contexts *g, const struct sca_spot *spot,
                                const char *name)
{
    if (g->status)
        return 0;
    struct sca_spot last = *spot;
    struct sca_frame missing;
    if (spot->frame && sca_tail_call_mpi(g->program, spot->frame, name, &missing))
        last = (struct sca_spot){.base = sca_context_growth_call(g, spot, &missing),
                                 .frame = &missing};
    bool blocks = sca_mpi_function_blocks(name);
    bool call = blocks || sca_mpi_function_ends(name);
    struct sca_context_node node = node_at(g, &last, call ? SCA_CALL : SCA_MPI, name);
    uint32_t index = sca_context_node_at(g, &node);
    g->nodes[index].shown.blocks |= blocks;
    return index;
}
