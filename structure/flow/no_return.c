#include "flow/no_return.h"
#include "image/call_name.h"
#include "sca_die.h"
#include "sca_error.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1 /* a name that does not fit is taken to return */
#include <uthash.h>

struct named {
    const char *name;
    UT_hash_handle hh;
};

struct sca_no_return {
    struct sca_arena arena;
    struct named *names;
};

/* ---- what debug information says ---- */

static void add_name(struct sca_no_return *n, const char *name)
{
    struct named *known = NULL;
    if (name)
        HASH_FIND_STR(n->names, name, known);
    if (!name || known || !(known = sca_arena_alloc(&n->arena, 1, sizeof *known)))
        return;
    known->name = name;
    HASH_ADD_KEYPTR(hh, n->names, name, strlen(name), known);
}

static int look_at(Dwarf_Die *die, void *context)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr_integrate(die, DW_AT_noreturn, &attribute))
        return DWARF_CB_OK;
    const char *linkage = sca_die_linkage(die);
    add_name(context, *linkage ? linkage : dwarf_diename(die));
    return DWARF_CB_OK;
}

static bool is_named(const void *context, const char *name)
{
    const struct sca_no_return *n = context;
    struct named *known = NULL;
    if (n)
        HASH_FIND_STR(n->names, name, known);
    return known || sca_call_name_never_returns(name);
}

/* ---- who calls whom ---- */

struct call {
    uint32_t callee, caller;
};

struct closure {
    const struct sca_flow_code *code;
    struct sca_flow_graph graph;
    struct call *calls;
    size_t ncalls, capacity;
    uint32_t *work;
    size_t nwork, work_capacity;
};

static int add_call(struct closure *c, uint32_t callee, uint32_t caller)
{
    if (sca_arena_grow(&c->calls, sizeof *c->calls, c->ncalls, &c->capacity))
        return SCA_ENOMEM;
    c->calls[c->ncalls++] = (struct call){callee, caller};
    return SCA_OK;
}

static int add_calls(struct closure *c, uint32_t function)
{
    struct sca_code_functions *f = c->code->functions;
    int status = SCA_OK;
    for (size_t i = 0; !status && i < c->graph.ninstructions; i++) {
        const struct sca_instruction *in = &c->graph.instructions[i];
        bool direct = in->flow == SCA_FLOW_CALL || in->flow == SCA_FLOW_JUMP;
        uint32_t at = direct ? sca_code_functions_from(f, in->target) : SCA_NO_CODE;
        if (at == SCA_NO_CODE || (in->flow == SCA_FLOW_JUMP && f->list[at].owner == function))
            continue;
        f->list[at].called |= in->flow == SCA_FLOW_CALL;
        status = add_call(c, at, function);
    }
    return status;
}

/* Nothing may join a piece that is called: where names are gone, who is called is known first. */
static void find_called(const struct sca_flow_code *code)
{
    struct sca_code_bytes bytes;
    struct sca_instruction in;
    for (uint32_t i = 0; i < code->functions->count; i++)
        for (uint64_t at = code->functions->list[i].low; at < code->functions->list[i].high;
             at += in.length) {
            if (!sca_code_image_code(code->image, at, &bytes) ||
                !code->image->decoder->decode(bytes, &in))
                break;
            uint32_t callee = in.flow == SCA_FLOW_CALL
                                  ? sca_code_functions_from(code->functions, in.target)
                                  : SCA_NO_CODE;
            if (callee != SCA_NO_CODE)
                code->functions->list[callee].called = true;
        }
}

static int push(struct closure *c, uint32_t function)
{
    if (sca_arena_grow(&c->work, sizeof *c->work, c->nwork, &c->work_capacity))
        return SCA_ENOMEM;
    c->work[c->nwork++] = function;
    return SCA_OK;
}

/* A function that turns out never to come back makes its callers end at the call. */
static int look_again(struct closure *c, uint32_t function, bool first)
{
    struct sca_code_function *f = &c->code->functions->list[function];
    if (f->owner != function || f->no_return)
        return SCA_OK;
    int status = sca_flow_graph_fill(c->code, function, false, &c->graph);
    if (!status && first)
        status = add_calls(c, function);
    if (status || c->graph.returns || !c->graph.ninstructions)
        return status;
    f->no_return = true;
    return push(c, function);
}

static int by_callee(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->callee != y->callee)
        return x->callee < y->callee ? -1 : 1;
    return x->caller < y->caller ? -1 : x->caller > y->caller;
}

static int look_at_callers(struct closure *c, uint32_t callee)
{
    size_t low = 0, high = c->ncalls;
    int status = SCA_OK;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->calls[middle].callee < callee)
            low = middle + 1;
        else
            high = middle;
    }
    for (; !status && low < c->ncalls && c->calls[low].callee == callee; low++)
        status = look_again(c, c->calls[low].caller, false);
    return status;
}

static int close_over_calls(struct closure *c)
{
    int status = SCA_OK;
    for (int parts = 0; parts < 2; parts++) /* what nobody has joined stands alone */
        for (uint32_t i = 0; !status && i < c->code->functions->count; i++)
            if (c->code->functions->list[i].part == parts)
                status = look_again(c, i, true);
    if (c->ncalls)
        qsort(c->calls, c->ncalls, sizeof *c->calls, by_callee);
    while (!status && c->nwork)
        status = look_at_callers(c, c->work[--c->nwork]);
    return status;
}

int sca_no_return_find(struct sca_flow_code *code, const struct sca_units *units,
                       struct sca_no_return **names)
{
    struct closure c = {.code = code};
    *names = calloc(1, sizeof **names);
    if (!*names)
        return sca_fail(SCA_ENOMEM, "out of memory for the names of functions");
    for (size_t u = 0; u < units->count; u++)
        dwarf_getfuncs(&units->units[u].body, look_at, *names, 0);
    code->no_return = is_named;
    code->names = *names;
    for (uint32_t i = 0; i < code->functions->count; i++)
        code->functions->list[i].no_return = is_named(*names, code->functions->list[i].name);
    if (!code->functions->named)
        find_called(code);
    int status = close_over_calls(&c);
    sca_flow_graph_free(&c.graph);
    free(c.calls);
    free(c.work);
    return status;
}

void sca_no_return_free(struct sca_no_return *names)
{
    struct named *known, *next;
    if (!names)
        return;
    HASH_ITER(hh, names->names, known, next)
    HASH_DEL(names->names, known);
    sca_arena_free(&names->arena);
    free(names);
}
