#include "graph/instance.h"
#include "graph/callee.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* What vertices stand in: a loop, or all of a function. Loops first, then the nodes of the map. */
struct holder {
    bool made;
    uint32_t vertex;
    uint32_t last;  /* the child that was visited last */
    uint32_t stack; /* of the holder's function: what it was inlined into */
    uint32_t function;
};

struct walk {
    const struct sca_instance *in;
    struct sca_draft *draft;
    struct holder *holders;
    uint32_t *owner;     /* per instruction: the call that it prepares, itself if none */
    uint32_t *stack;     /* per instruction */
    const char *nothing; /* interned */
    const char *file, *file_interned; /* the last one */
    uint32_t node, loop;              /* of the instruction before */
    struct sca_stack_frame last_frame;
    uint32_t last_stack;                    /* its stack, SCA_NO_STACK: none yet */
    uint32_t comp_holder, comp_after, comp; /* the last run of computation, and what is before it */
};

static uint32_t of_node(const struct walk *w, uint32_t node)
{
    return (uint32_t)w->in->graph->nloops + node;
}

/* The innermost loop of `node` around; all of the function if there is none. */
static uint32_t holder_at(const struct walk *w, uint32_t node, uint32_t loop)
{
    while (loop != SCA_NO_LOOP && w->in->places->list[loop].node != node)
        loop = w->in->graph->loops[loop].parent;
    return loop == SCA_NO_LOOP ? of_node(w, node) : loop;
}

static int add_child(struct walk *w, uint32_t holder, const struct sca_draft_wish *wish,
                     uint32_t *vertex)
{
    struct holder *h = &w->holders[holder];
    int status = sca_draft_vertex(w->draft, h->function, h->vertex, wish, h->last, vertex);
    if (!status && wish->kind != SCA_COMP)
        h->last = *vertex;
    return status;
}

/* Line tables name a file by the same text again and again. */
static const char *interned(struct walk *w, const char *file)
{
    if (!file)
        return w->nothing;
    if (file != w->file) {
        w->file = file;
        w->file_interned = sca_draft_intern(w->draft, file);
    }
    return w->file_interned;
}

/* Without lines a place that may be told is told by its address. */
static const char *file_or_address(struct walk *w, const char *file, uint32_t line,
                                   uint64_t address)
{
    char text[SCA_ADDRESS_NAME];
    return line ? interned(w, file)
                : sca_draft_intern(w->draft, sca_naming_address(w->in->naming, address, text));
}

static int make_node(struct walk *w, uint32_t node);

/* ---- loops ---- */

/* Without lines a loop is told apart by where it begins. */
static int loop_wish(struct walk *w, uint32_t loop, struct sca_draft_wish *wish)
{
    const struct sca_loop_place *p = &w->in->places->list[loop];
    const struct sca_flow_graph *g = w->in->graph;
    uint64_t begin = g->instructions[g->blocks[g->loops[loop].header].first].address;
    *wish = (struct sca_draft_wish){.kind = SCA_LOOP,
                                    .flags = p->near ? SCA_VF_NEAR : 0,
                                    .line = p->line,
                                    .file = file_or_address(w, p->file, p->line, begin),
                                    .called = SCA_NO_DRAFT,
                                    .callee = interned(w, NULL),
                                    .tag = p->line ? 0 : begin};
    return wish->file && wish->callee ? SCA_OK : SCA_ENOMEM;
}

static int make_loop(struct walk *w, uint32_t loop)
{
    struct holder *h = &w->holders[loop];
    const struct sca_loop_place *p = &w->in->places->list[loop];
    uint32_t parent = w->in->graph->loops[loop].parent;
    struct sca_draft_wish wish;
    if (parent != SCA_NO_LOOP) {
        int status = make_loop(w, parent);
        if (status)
            return status;
    }
    int status = make_node(w, p->node);
    if (!status)
        status = loop_wish(w, loop, &wish);
    uint32_t around = holder_at(w, p->node, parent), vertex;
    if (!status)
        status = add_child(w, around, &wish, &vertex);
    if (status || h->made)
        return status;
    *h = (struct holder){true, vertex, SCA_NO_DRAFT, w->holders[around].stack,
                         w->holders[around].function};
    sca_draft_cover(w->draft, h->function, vertex, wish.file, p->end_line);
    return SCA_OK;
}

/* ---- functions ---- */

static int make_root(struct walk *w, uint32_t node)
{
    struct holder *h = &w->holders[of_node(w, node)];
    if (h->made)
        return SCA_OK;
    *h = (struct holder){.made = true, .last = SCA_NO_DRAFT};
    return sca_naming_of_die(w->in->naming, &w->in->map->nodes[node].die, &h->function);
}

static int make_node(struct walk *w, uint32_t node)
{
    const struct sca_source_node *n = &w->in->map->nodes[node];
    struct holder *h = &w->holders[of_node(w, node)];
    uint32_t vertex;
    if (!node)
        return SCA_OK; /* it is there from the beginning */
    int status = make_node(w, n->parent);
    if (!status)
        status = make_root(w, node);
    uint32_t loop = w->in->places->called_in[node];
    if (!status && loop != SCA_NO_LOOP && !w->holders[loop].made)
        status = make_loop(w, loop);
    struct sca_draft_wish wish = {.kind = SCA_CALL,
                                  .line = n->call.line,
                                  .file = interned(w, n->call.file),
                                  .called = h->function,
                                  .callee = interned(w, NULL)};
    uint32_t around = loop == SCA_NO_LOOP ? of_node(w, n->parent) : loop;
    if (!status)
        status = wish.file && wish.callee ? add_child(w, around, &wish, &vertex) : SCA_ENOMEM;
    if (!status)
        status = sca_stack_table_push(w->in->stacks, w->holders[around].stack,
                                      w->holders[around].function, vertex, &h->stack);
    return status;
}

/* ---- instructions ---- */

static int call_wish(struct walk *w, size_t index, const struct sca_callee *callee,
                     struct sca_draft_wish *wish)
{
    struct sca_source_line at = w->in->map->line[index];
    uint64_t address = w->in->graph->instructions[index].address;
    bool inside = callee->code != SCA_NO_CODE && !callee->is_mpi;
    *wish = (struct sca_draft_wish){.kind = callee->is_mpi ? SCA_MPI : SCA_CALL,
                                    .flags = callee->is_indirect ? SCA_VF_INDIRECT : 0,
                                    .line = at.line,
                                    .file = callee->is_mpi
                                                ? file_or_address(w, at.file, at.line, address)
                                                : interned(w, at.file),
                                    .called = SCA_NO_DRAFT,
                                    .callee = interned(w, inside ? NULL : callee->name),
                                    .tag = at.line ? 0 : address};
    int status = wish->file && wish->callee ? SCA_OK : SCA_ENOMEM;
    if (!status && inside)
        status = sca_naming_of_code(w->in->naming, callee->code, &wish->called);
    return status;
}

/* Computation between the same two vertices is one vertex. */
static int add_comp(struct walk *w, uint32_t holder, uint32_t *vertex)
{
    uint32_t after = w->holders[holder].last;
    struct sca_draft_wish wish = {.kind = SCA_COMP,
                                  .file = interned(w, NULL),
                                  .called = SCA_NO_DRAFT,
                                  .callee = interned(w, NULL),
                                  .tag = after};
    if (w->comp != SCA_NO_DRAFT && w->comp_holder == holder && w->comp_after == after) {
        *vertex = w->comp;
        return SCA_OK;
    }
    int status = wish.file ? add_child(w, holder, &wish, vertex) : SCA_ENOMEM;
    w->comp_holder = holder;
    w->comp_after = after;
    w->comp = status ? SCA_NO_DRAFT : *vertex;
    return status;
}

static int add_call(struct walk *w, uint32_t holder, size_t index, const struct sca_callee *callee,
                    uint32_t *vertex)
{
    struct sca_draft_wish wish;
    int status = call_wish(w, index, callee, &wish);
    return status ? status : add_child(w, holder, &wish, vertex);
}

/* Sees to it that what the instruction stands in is there, and was visited last. */
static int go_to(struct walk *w, uint32_t node, uint32_t loop)
{
    if (node == w->node && loop == w->loop)
        return SCA_OK;
    w->node = node;
    w->loop = loop;
    int status = loop == SCA_NO_LOOP ? SCA_OK : make_loop(w, loop);
    return status ? status : make_node(w, node);
}

static int stack_of(struct walk *w, const struct holder *h, uint32_t vertex, uint32_t *stack)
{
    struct sca_stack_frame frame = {h->stack, h->function, vertex};
    if (w->last_stack != SCA_NO_STACK && !memcmp(&frame, &w->last_frame, sizeof frame)) {
        *stack = w->last_stack;
        return SCA_OK;
    }
    w->last_frame = frame;
    int status = sca_stack_table_push(w->in->stacks, h->stack, h->function, vertex, stack);
    w->last_stack = status ? SCA_NO_STACK : *stack;
    return status;
}

static int add_instruction(struct walk *w, size_t i, uint32_t loop)
{
    uint32_t node = w->in->map->node[i], holder, vertex;
    struct sca_callee callee = sca_callee_find(w->in->image, w->in->naming->code, w->in->graph, i);
    int status = go_to(w, node, loop);
    holder = holder_at(w, node, loop);
    if (!status)
        status = callee.is_call ? add_call(w, holder, i, &callee, &vertex)
                                : add_comp(w, holder, &vertex);
    if (status)
        return status;
    struct holder *h = &w->holders[holder];
    const char *file = interned(w, w->in->map->line[i].file);
    sca_draft_cover(w->draft, h->function, vertex, file, w->in->map->line[i].line);
    return stack_of(w, h, vertex, &w->stack[i]);
}

/* Instructions of the line of the call that follows in the block prepare it. */
static void find_owners(struct walk *w, const struct sca_flow_block *b)
{
    const struct sca_source_map *map = w->in->map;
    uint32_t call = UINT32_MAX;
    for (uint32_t i = b->first + b->count; i-- > b->first;) {
        uint8_t flow = w->in->graph->instructions[i].flow;
        if (flow == SCA_FLOW_CALL || flow == SCA_FLOW_CALL_INDIRECT)
            call = i;
        else if (call != UINT32_MAX && (map->node[i] != map->node[call] || !map->line[i].line ||
                                        map->line[i].line != map->line[call].line))
            call = UINT32_MAX;
        w->owner[i] = call == UINT32_MAX ? i : call;
    }
}

static int add_block(struct walk *w, const struct sca_flow_block *b)
{
    int status = SCA_OK;
    find_owners(w, b);
    for (uint32_t i = b->first; !status && i < b->first + b->count; i++)
        if (w->owner[i] == i)
            status = add_instruction(w, i, b->loop);
    for (uint32_t i = b->first; i < b->first + b->count; i++)
        w->stack[i] = w->stack[w->owner[i]];
    return status;
}

/* ---- all of it ---- */

static int add_rows(struct walk *w)
{
    const struct sca_flow_graph *g = w->in->graph;
    int status = SCA_OK;
    for (size_t i = 0; !status && i < g->ninstructions; i++)
        status = sca_stack_table_row(w->in->stacks, g->instructions[i].address, w->stack[i]);
    for (size_t s = 0; !status && s < g->nspans; s++)
        status = sca_stack_table_row(w->in->stacks, g->spans[s].high, SCA_NO_STACK);
    return status;
}

static int add_all(struct walk *w, uint32_t code)
{
    struct holder *root = &w->holders[of_node(w, 0)];
    w->nothing = sca_draft_intern(w->draft, "");
    if (!w->nothing)
        return SCA_ENOMEM;
    *root = (struct holder){.made = true, .last = SCA_NO_DRAFT, .stack = SCA_NO_STACK};
    int status = sca_naming_of_code(w->in->naming, code, &root->function);
    for (size_t i = 0; !status && i < w->in->graph->nblocks; i++)
        status = add_block(w, &w->in->graph->blocks[w->in->graph->ordered[i]]);
    return status ? status : add_rows(w);
}

int sca_instance_add(struct sca_instance *in, uint32_t code)
{
    size_t n = in->graph->ninstructions + 1, holders = in->graph->nloops + in->map->nnodes;
    struct walk w = {.in = in,
                     .draft = in->naming->draft,
                     .holders = calloc(holders, sizeof *w.holders),
                     .owner = malloc(n * sizeof *w.owner),
                     .stack = malloc(n * sizeof *w.stack),
                     .node = UINT32_MAX,
                     .comp = SCA_NO_DRAFT};
    int status = w.holders && w.owner && w.stack
                     ? add_all(&w, code)
                     : sca_fail(SCA_ENOMEM, "out of memory for a function's structure");
    free(w.holders);
    free(w.owner);
    free(w.stack);
    return status;
}
