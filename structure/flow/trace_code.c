/* Follows code from the beginning of a function along all jumps, then what nothing leads to. */
#include "flow/flow_graph.h"
#include "flow/jump_table.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

struct trace {
    const struct sca_flow_code *code;
    uint32_t function;
    struct sca_flow_graph *graph;
    uint64_t *work; /* addresses still to follow */
    size_t nwork, capacity;
    bool unresolved; /* an indirect jump whose targets are not known */
    uint64_t unresolved_at;
};

/* ---- spans ---- */

static int add_span(struct trace *t, const struct sca_code_function *piece)
{
    struct sca_flow_graph *g = t->graph;
    struct sca_code_bytes code;
    if (!sca_code_image_code(t->code->image, piece->low, &code))
        return SCA_OK;
    if (sca_arena_grow(&g->spans, sizeof *g->spans, g->nspans, &g->spans_capacity))
        return SCA_ENOMEM;
    uint8_t *marks = calloc(piece->high - piece->low, 1);
    if (!marks)
        return sca_fail(SCA_ENOMEM, "out of memory for the code of a function");
    g->spans[g->nspans++] = (struct sca_flow_span){piece->low, piece->high, code, marks};
    return SCA_OK;
}

static struct sca_flow_span *span_of(const struct sca_flow_graph *g, uint64_t address)
{
    for (size_t i = 0; i < g->nspans; i++)
        if (address >= g->spans[i].low && address < g->spans[i].high)
            return &g->spans[i];
    return NULL;
}

uint8_t *sca_flow_graph_mark(const struct sca_flow_graph *g, uint64_t address)
{
    const struct sca_flow_span *span = span_of(g, address);
    return span ? &span->marks[address - span->low] : NULL;
}

/* A part without an owner becomes the part of whoever jumps into it: named as one, or, where names
 * are gone, a piece that nobody calls. */
static bool is_part(const struct trace *t, const struct sca_code_function *piece,
                    const struct sca_instruction *jump)
{
    if (piece->part)
        return true;
    return !t->code->functions->named && !*piece->name && !piece->called &&
           jump->flow == SCA_FLOW_BRANCH;
}

static int join(struct trace *t, const struct sca_instruction *jump)
{
    struct sca_code_functions *f = t->code->functions;
    uint32_t at = sca_code_functions_at(f, jump->target);
    if (at == SCA_NO_CODE || at == t->function)
        return SCA_OK;
    struct sca_code_function *piece = &f->list[at];
    bool own = piece->owner == t->function;
    if (!own && (piece->owner != at || !is_part(t, piece, jump)))
        return SCA_OK;
    piece->owner = t->function;
    return add_span(t, piece);
}

/* ---- following ---- */

static int push(struct trace *t, uint64_t address)
{
    uint8_t *mark = sca_flow_graph_mark(t->graph, address);
    if (!mark)
        return SCA_OK;
    bool known = *mark & SCA_MARK_LEADER;
    *mark |= SCA_MARK_LEADER;
    if (known || (*mark & SCA_MARK_BEGINS))
        return SCA_OK;
    if (sca_arena_grow(&t->work, sizeof *t->work, t->nwork, &t->capacity))
        return SCA_ENOMEM;
    t->work[t->nwork++] = address;
    return SCA_OK;
}

static int jump_to(struct trace *t, const struct sca_instruction *in)
{
    int status = sca_flow_graph_mark(t->graph, in->target) ? SCA_OK : join(t, in);
    return status ? status : push(t, in->target);
}

static int add_jump(struct trace *t, uint64_t from, uint64_t to)
{
    struct sca_flow_graph *g = t->graph;
    if (sca_arena_grow(&g->jumps, sizeof *g->jumps, g->njumps, &g->jumps_capacity))
        return SCA_ENOMEM;
    g->jumps[g->njumps++] = (struct sca_flow_edge){from, to};
    return push(t, to);
}

static int jump_by_table(struct trace *t, size_t jump)
{
    struct sca_jump_table table = {0};
    uint64_t from = t->graph->instructions[jump].address;
    int status = SCA_OK;
    if (!sca_jump_table_find(t->code->image, t->graph, jump, &table)) {
        t->unresolved = true;
        t->unresolved_at = from;
        return SCA_OK;
    }
    for (uint32_t i = 0; !status && i < table.count; i++) {
        struct sca_instruction jump_there = {.address = from, .flow = SCA_FLOW_JUMP};
        if (!sca_jump_table_entry(t->code->image, &table, i, &jump_there.target))
            break;
        status = sca_flow_graph_mark(t->graph, jump_there.target) ? SCA_OK : join(t, &jump_there);
        if (!status && !sca_flow_graph_mark(t->graph, jump_there.target))
            break;
        if (!status)
            status = add_jump(t, from, jump_there.target);
    }
    return status;
}

/* Where it is caught when the call throws. Nobody calls such code, nor jumps there. */
static int throw_from(struct trace *t, const struct sca_instruction *call)
{
    struct sca_instruction jump_there = {.address = call->address, .flow = SCA_FLOW_BRANCH};
    jump_there.target = sca_landing_pads_find(&t->code->functions->pads, call->address);
    if (!jump_there.target)
        return SCA_OK;
    int status = sca_flow_graph_mark(t->graph, jump_there.target) ? SCA_OK : join(t, &jump_there);
    if (!status)
        status = add_jump(t, call->address, jump_there.target);
    return status ? status : push(t, call->address + call->length);
}

static void cover(struct sca_flow_graph *g, const struct sca_instruction *in)
{
    size_t i = 0;
    while (in->address < g->spans[i].low || in->address >= g->spans[i].high)
        i++;
    uint8_t *mark = &g->spans[i].marks[in->address - g->spans[i].low];
    uint64_t room = g->spans[i].high - in->address;
    *mark |= SCA_MARK_BEGINS;
    for (uint64_t k = 0; k < in->length && k < room; k++)
        mark[k] |= SCA_MARK_COVERED;
}

static int add_instruction(struct trace *t, const struct sca_instruction *in)
{
    struct sca_flow_graph *g = t->graph;
    if (sca_arena_grow(&g->instructions, sizeof *g->instructions, g->ninstructions,
                       &g->instructions_capacity))
        return SCA_ENOMEM;
    g->instructions[g->ninstructions++] = *in;
    cover(g, in);
    return SCA_OK;
}

/* One instruction; *on: the next one follows. */
static int step(struct trace *t, const struct sca_instruction *in, bool *on)
{
    int status = add_instruction(t, in);
    *on = false;
    if (status)
        return status;
    switch (in->flow) {
    case SCA_FLOW_JUMP:
        return jump_to(t, in);
    case SCA_FLOW_BRANCH:
        *on = true;
        status = jump_to(t, in);
        return status ? status : push(t, in->address + in->length);
    case SCA_FLOW_JUMP_INDIRECT:
        return in->target ? SCA_OK : jump_by_table(t, t->graph->ninstructions - 1);
    case SCA_FLOW_CALL:
    case SCA_FLOW_CALL_INDIRECT:
        *on = sca_flow_comes_back(t->code, in);
        return throw_from(t, in);
    case SCA_FLOW_RETURN:
    case SCA_FLOW_STOP:
        return SCA_OK;
    default:
        *on = true;
        return SCA_OK;
    }
}

/* An instruction that nobody has followed yet. */
static bool take(const struct trace *t, uint64_t address, struct sca_instruction *in)
{
    const struct sca_flow_span *span = span_of(t->graph, address);
    uint64_t at = span ? address - span->low : 0;
    if (!span || (span->marks[at] & SCA_MARK_BEGINS))
        return false;
    struct sca_code_bytes code = {span->code.bytes + at, span->code.size - at, address};
    return t->code->image->decoder->decode(code, in);
}

static int follow(struct trace *t, uint64_t address)
{
    struct sca_instruction in;
    int status = SCA_OK;
    for (bool on = true; !status && on; address = in.address + in.length) {
        if (!take(t, address, &in))
            break;
        status = step(t, &in, &on);
    }
    return status;
}

static int follow_all(struct trace *t)
{
    int status = SCA_OK;
    while (!status && t->nwork)
        status = follow(t, t->work[--t->nwork]);
    return status;
}

/* ---- what nothing leads to: landing pads, targets of unknown jumps ---- */

static int add_root(struct trace *t, uint64_t address)
{
    struct sca_flow_graph *g = t->graph;
    if (sca_arena_grow(&g->roots, sizeof *g->roots, g->nroots, &g->roots_capacity))
        return SCA_ENOMEM;
    g->roots[g->nroots++] = address;
    int status =
        g->nroots > 1 && t->unresolved ? add_jump(t, t->unresolved_at, address) : push(t, address);
    return status ? status : follow_all(t);
}

/* Looks at one uncovered byte; returns how many bytes to go on. */
static int look_at(struct trace *t, uint64_t address, uint64_t *bytes)
{
    enum { AFTER_DATA = 16 }; /* where code would begin again */
    struct sca_code_bytes code;
    struct sca_instruction in;
    const struct sca_decoder *decoder = t->code->image->decoder;
    *bytes = AFTER_DATA - address % AFTER_DATA;
    if (!sca_code_image_code(t->code->image, address, &code) || !decoder->decode(code, &in))
        return SCA_OK;
    *bytes = in.length;
    return in.flow == SCA_FLOW_PAD ? SCA_OK : add_root(t, address);
}

static int look_at_rest(struct trace *t)
{
    int status = SCA_OK;
    for (size_t i = 0; !status && i < t->graph->nspans; i++) {
        uint64_t low = t->graph->spans[i].low, bytes = 1;
        for (uint64_t at = low; !status && at < t->graph->spans[i].high; at += bytes) {
            bytes = 1;
            if (!(t->graph->spans[i].marks[at - low] & SCA_MARK_COVERED))
                status = look_at(t, at, &bytes);
        }
    }
    return status;
}

int sca_flow_trace(const struct sca_flow_code *code, uint32_t function, struct sca_flow_graph *g)
{
    struct trace t = {.code = code, .function = function, .graph = g};
    const struct sca_code_function *f = &code->functions->list[function];
    int status = add_span(&t, f);
    if (!status)
        status = add_root(&t, f->low);
    if (!status)
        status = look_at_rest(&t);
    free(t.work);
    return status;
}
