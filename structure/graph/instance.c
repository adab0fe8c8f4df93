#include "graph/instance.h"
#include "graph/callee.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* What vertices stand in: a loop, or all of a function as it was inlined at a place. Loops come
 * first. A call whose code lies in several loops, as that of versions of one, is a place in each.
 */
struct holder {
    bool made;
    uint32_t node, loop; /* of a function: the loop outside of it that it stands in */
    uint32_t vertex;
    uint32_t last;  /* the child that was visited last */
    uint32_t stack; /* of the holder's function: what it was inlined into */
    uint32_t function;
};

struct placing {
    const struct sca_instance *in;
    struct sca_draft *draft;
    struct holder *holders;
    uint32_t nholders;
    size_t capacity;
    struct sca_index_map places; /* holders of functions */
    uint32_t *owner;             /* per instruction: the call that it prepares, itself if none */
    uint32_t *stack;             /* per instruction */
    const char *nothing;         /* interned */
    const char *file, *file_interned; /* the last one */
    uint32_t node, loop, holder;      /* of the instruction before */
    struct sca_stack_frame last_frame;
    uint32_t last_stack;                    /* its stack, SCA_NO_STACK: none yet */
    uint32_t comp_holder, comp_after, comp; /* the last run of computation, and what is before it */
};

struct place_question {
    const struct placing *walk;
    uint32_t node, loop;
};

static bool is_place(const void *context, uint32_t index)
{
    const struct place_question *q = context;
    return q->walk->holders[index].node == q->node && q->walk->holders[index].loop == q->loop;
}

/* The holder of a function that stands in that loop; made if it is not there. */
static int function_holder(struct placing *w, uint32_t node, uint32_t loop, uint32_t *holder)
{
    uint32_t words[2] = {node, loop};
    struct place_question q = {w, node, loop};
    uint64_t hash = sca_index_map_hash(words, sizeof words);
    *holder = sca_index_map_find(&w->places, hash, is_place, &q);
    if (*holder != SCA_NO_INDEX)
        return SCA_OK;
    if (sca_arena_grow(&w->holders, sizeof *w->holders, w->nholders, &w->capacity))
        return SCA_ENOMEM;
    *holder = w->nholders++;
    w->holders[*holder] = (struct holder){.node = node, .loop = loop, .last = SCA_NO_DRAFT};
    return sca_index_map_add(&w->places, hash, *holder);
}

/* The innermost loop of `node` around; all of the function if there is none. */
static int holder_at(struct placing *w, uint32_t node, uint32_t loop, uint32_t *holder)
{
    const struct sca_loop_place *places = w->in->places->list;
    while (loop != SCA_NO_LOOP && places[loop].node != node &&
           sca_source_map_is_within(w->in->map, places[loop].node, node))
        loop = w->in->graph->loops[loop].parent;
    *holder = loop;
    if (loop != SCA_NO_LOOP && places[loop].node == node)
        return SCA_OK;
    return function_holder(w, node, loop, holder);
}

static int add_child(struct placing *w, uint32_t holder, const struct sca_draft_wish *wish,
                     uint32_t *vertex)
{
    struct holder *h = &w->holders[holder];
    int status = sca_draft_vertex(w->draft, h->function, h->vertex, wish, h->last, vertex);
    if (!status && wish->kind != SCA_COMP)
        h->last = *vertex;
    return status;
}

/* Line tables name a file by the same text again and again. */
static const char *interned(struct placing *w, const char *file)
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
static const char *file_or_address(struct placing *w, const char *file, uint32_t line,
                                   uint64_t address)
{
    char text[SCA_ADDRESS_NAME];
    return line ? interned(w, file)
                : sca_draft_intern(w->draft, sca_naming_address(w->in->naming, address, text));
}

static int make(struct placing *w, uint32_t holder);

/* ---- loops ---- */

/* Without lines a loop is told apart by where it begins. */
static int loop_wish(struct placing *w, uint32_t loop, struct sca_draft_wish *wish)
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

/* Which of several entries is the header of a loop is a choice: what is left of it when it is taken
 * out may be the same loop of the source again. */
static bool is_same_again(const struct placing *w, uint32_t loop, uint32_t around)
{
    const struct sca_loop_place *p = w->in->places->list;
    return around < w->in->graph->nloops && w->in->graph->loops[around].many && p[loop].line &&
           p[loop].line == p[around].line;
}

static int make_loop(struct placing *w, uint32_t loop)
{
    struct sca_draft_wish wish;
    uint32_t around, vertex = 0;
    int status =
        holder_at(w, w->in->places->list[loop].node, w->in->graph->loops[loop].parent, &around);
    if (!status)
        status = make(w, around);
    if (!status)
        status = loop_wish(w, loop, &wish);
    if (!status && is_same_again(w, loop, around))
        vertex = w->holders[around].vertex;
    else if (!status)
        status = add_child(w, around, &wish, &vertex);
    struct holder *h = &w->holders[loop], *outside = &w->holders[around];
    if (status || h->made)
        return status;
    *h = (struct holder){.made = true,
                         .vertex = vertex,
                         .last = SCA_NO_DRAFT,
                         .stack = outside->stack,
                         .function = outside->function};
    sca_draft_cover(w->draft, h->function, vertex, wish.file, w->in->places->list[loop].end_line);
    return SCA_OK;
}

/* ---- functions ---- */

/* The function is what its description says; the one that has the code is there already. */
static int make_function(struct placing *w, uint32_t holder)
{
    uint32_t node = w->holders[holder].node, loop = w->holders[holder].loop, around, vertex,
             called = SCA_NO_DRAFT;
    struct sca_source_node *n = &w->in->map->nodes[node];
    if (!node)
        return SCA_OK;
    int status = holder_at(w, n->parent, loop, &around);
    if (!status)
        status = make(w, around);
    if (!status)
        status = sca_naming_of_die(w->in->naming, &n->die, &called);
    struct sca_draft_wish wish = {.kind = SCA_CALL,
                                  .line = n->call.line,
                                  .file = interned(w, n->call.file),
                                  .called = called,
                                  .callee = interned(w, NULL)};
    if (!status)
        status = wish.file ? add_child(w, around, &wish, &vertex) : SCA_ENOMEM;
    struct holder *h = &w->holders[holder];
    h->made = true;
    h->function = called;
    return status ? status
                  : sca_stack_table_push(w->in->stacks, w->holders[around].stack,
                                         w->holders[around].function, vertex, &h->stack);
}

/* Sees to it that the holder is there, and was visited last. */
static int make(struct placing *w, uint32_t holder)
{
    return holder < w->in->graph->nloops ? make_loop(w, holder) : make_function(w, holder);
}

/* ---- instructions ---- */

static int call_wish(struct placing *w, size_t index, const struct sca_callee *callee,
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
static int add_comp(struct placing *w, uint32_t holder, uint32_t *vertex)
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

static int add_call(struct placing *w, uint32_t holder, size_t index,
                    const struct sca_callee *callee, uint32_t *vertex)
{
    struct sca_draft_wish wish;
    int status = call_wish(w, index, callee, &wish);
    return status ? status : add_child(w, holder, &wish, vertex);
}

/* The holder of an instruction. What a loop holds is part of its function, even where the line
 * table takes it for the caller's or for another call's. */
static int go_to(struct placing *w, uint32_t node, uint32_t loop, uint32_t *holder)
{
    if (node == w->node && loop == w->loop) {
        *holder = w->holder;
        return SCA_OK;
    }
    w->node = node;
    w->loop = loop;
    if (loop != SCA_NO_LOOP &&
        !sca_source_map_is_within(w->in->map, node, w->in->places->list[loop].node))
        node = w->in->places->list[loop].node;
    int status = holder_at(w, node, loop, holder);
    w->holder = *holder;
    return status ? status : make(w, *holder);
}

static int stack_of(struct placing *w, const struct holder *h, uint32_t vertex, uint32_t *stack)
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

static int add_instruction(struct placing *w, size_t i, uint32_t loop)
{
    uint32_t node = w->in->map->node[i], holder, vertex;
    struct sca_callee callee = sca_callee_find(w->in->image, w->in->naming->code, w->in->graph, i);
    int status = go_to(w, node, loop, &holder);
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
static void find_owners(struct placing *w, const struct sca_flow_block *b)
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

static int add_block(struct placing *w, const struct sca_flow_block *b)
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

static int add_rows(struct placing *w)
{
    const struct sca_flow_graph *g = w->in->graph;
    int status = SCA_OK;
    for (size_t i = 0; !status && i < g->ninstructions; i++) {
        uint64_t end = g->instructions[i].address + g->instructions[i].length;
        status = sca_stack_table_row(w->in->stacks, g->instructions[i].address, w->stack[i]);
        if (!status && (i + 1 == g->ninstructions || g->instructions[i + 1].address > end))
            status = sca_stack_table_row(w->in->stacks, end, SCA_NO_STACK);
    }
    for (size_t s = 0; !status && s < g->nspans; s++)
        status = sca_stack_table_row(w->in->stacks, g->spans[s].high, SCA_NO_STACK);
    return status;
}

static int add_all(struct placing *w, uint32_t code)
{
    uint32_t root;
    w->nothing = sca_draft_intern(w->draft, "");
    if (!w->nothing)
        return SCA_ENOMEM;
    int status = function_holder(w, 0, SCA_NO_LOOP, &root);
    if (!status) {
        w->holders[root].made = true;
        status = sca_naming_of_code(w->in->naming, code, &w->holders[root].function);
    }
    for (size_t i = 0; !status && i < w->in->graph->nblocks; i++)
        status = add_block(w, &w->in->graph->blocks[w->in->graph->ordered[i]]);
    return status ? status : add_rows(w);
}

int sca_instance_add(struct sca_instance *in, uint32_t code)
{
    size_t n = in->graph->ninstructions + 1, loops = in->graph->nloops;
    struct placing w = {.in = in,
                        .draft = in->naming->draft,
                        .holders = calloc(loops + 1, sizeof *w.holders),
                        .nholders = (uint32_t)loops,
                        .capacity = loops + 1,
                        .owner = malloc(n * sizeof *w.owner),
                        .stack = malloc(n * sizeof *w.stack),
                        .node = UINT32_MAX,
                        .comp = SCA_NO_DRAFT};
    int status = w.holders && w.owner && w.stack
                     ? add_all(&w, code)
                     : sca_fail(SCA_ENOMEM, "out of memory for a function's structure");
    sca_index_map_free(&w.places);
    free(w.holders);
    free(w.owner);
    free(w.stack);
    return status;
}
