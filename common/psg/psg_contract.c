#include "psg/psg_link.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a function leads to, closed over its calls ---- */

struct reach {
    bool mpi, structure, calls_mpi, round;
};

static void look_at(const struct sca_program *program, const struct sca_program_function *f,
                    uint32_t v, struct reach *r)
{
    static const struct sca_program_function unknown;
    const struct sca_program_function *callee =
        f->callee[v] == SCA_NO_FUNCTION ? &unknown : &program->functions[f->callee[v]];
    r->calls_mpi |= f->kind[v] == SCA_MPI || callee->calls_mpi;
    r->round |= f->kind[v] == SCA_MPI || f->kind[v] == SCA_LOOP || callee->goes_round;
    r->mpi |= f->kind[v] == SCA_MPI || (f->flags[v] & SCA_VF_INDIRECT) || callee->reaches_mpi;
    r->structure |= r->mpi || f->kind[v] == SCA_LOOP || callee->has_structure;
}

static bool look_into(struct sca_program *program, struct sca_program_function *f)
{
    struct reach was = {f->reaches_mpi, f->has_structure, f->calls_mpi,
                        f->goes_round || f->recursive},
                 r = was;
    bool first = was.round != f->goes_round;
    for (uint32_t v = 0; v < f->local->nvertices; v++)
        look_at(program, f, v, &r);
    f->reaches_mpi = r.mpi;
    f->has_structure = r.structure;
    f->calls_mpi = r.calls_mpi;
    f->goes_round = r.round;
    return first || r.mpi != was.mpi || r.structure != was.structure ||
           r.calls_mpi != was.calls_mpi || r.round != was.round;
}

/* Components are numbered callees first: one sweep, repeated only inside a cycle. */
static int close_over_calls(struct sca_program *program)
{
    uint32_t n = program->nfunctions;
    struct sca_ordered_function *order = sca_psg_cycles_callees_first(program);
    if (!order)
        return sca_fail(SCA_ENOMEM, "out of memory for the call graph");
    for (uint32_t first = 0, end; first < n; first = end) {
        bool changed = true;
        for (end = first; end < n && order[end].component == order[first].component;)
            end++;
        while (changed) {
            changed = false;
            for (uint32_t i = first; i < end; i++)
                changed |= look_into(program, &program->functions[order[i].function]);
        }
    }
    free(order);
    return SCA_OK;
}

/* ---- contraction of one function ---- */

struct place {       /* of a vertex in the contracted graph */
    uint32_t anchor; /* nearest ancestor that is kept */
    uint32_t depth;  /* loops around it, itself included */
    uint32_t run;    /* of an anchor: first vertex of the open run of Comp below it, or 0 */
    uint8_t side;    /* arm of the anchor it lies in */
    uint8_t run_side;
    bool mpi;    /* something below communicates */
    bool buried; /* in a loop that is merged away */
};

static bool communicates(const struct sca_program *program, const struct sca_program_function *f,
                         uint32_t v)
{
    uint32_t callee = f->callee[v];
    return f->kind[v] == SCA_MPI || (f->flags[v] & SCA_VF_INDIRECT) ||
           (callee != SCA_NO_FUNCTION && program->functions[callee].reaches_mpi);
}

static bool is_kept(const struct sca_program *program, const struct sca_program_function *f,
                    uint32_t v, const struct place *at)
{
    uint32_t callee = f->callee[v];
    switch (f->kind[v]) {
    case SCA_ROOT:
    case SCA_MPI:
        return true;
    case SCA_LOOP:
        return at->mpi || (!at->buried && at->depth <= program->max_loop_depth);
    case SCA_CALL:
        return at->mpi || (!at->buried && callee != SCA_NO_FUNCTION &&
                           program->functions[callee].has_structure);
    default:
        return at->mpi;
    }
}

/* Joins the run that is open below the anchor, or opens one. */
static void merge(struct sca_program_function *f, struct place *places, uint32_t v)
{
    struct place *anchor = &places[places[v].anchor];
    if (!anchor->run || anchor->run_side != places[v].side) {
        anchor->run = v;
        anchor->run_side = places[v].side;
    }
    f->kept[v] = anchor->run;
    f->kind[v] = SCA_COMP;
}

static void settle(const struct sca_program *program, struct sca_program_function *f,
                   struct place *places, uint32_t v)
{
    const struct sca_vertex *vertex = &f->local->vertices[v];
    uint32_t p = vertex->parent;
    struct place *at = &places[v], *up = &places[p];
    bool parent_kept = f->kept[p] == p && f->kind[p] != SCA_COMP;
    at->anchor = parent_kept ? p : up->anchor;
    at->side = parent_kept ? vertex->arm : up->side;
    at->depth = up->depth + (f->kind[v] == SCA_LOOP);
    at->buried = up->buried || (!parent_kept && f->local->vertices[p].kind == SCA_LOOP);
    if (!is_kept(program, f, v, at)) {
        merge(f, places, v);
        return;
    }
    places[at->anchor].run = 0;
    f->kept[v] = v;
}

static void contract(const struct sca_program *program, struct sca_program_function *f,
                     struct place *places)
{
    uint32_t n = f->local->nvertices;
    memset(places, 0, n * sizeof *places);
    for (uint32_t v = n; v-- > 1;) {
        places[v].mpi |= communicates(program, f, v);
        f->flags[v] |= places[v].mpi ? SCA_VF_REACHES : 0;
        places[f->local->vertices[v].parent].mpi |= places[v].mpi;
    }
    f->kept[0] = 0;
    for (uint32_t v = 1; v < n; v++)
        settle(program, f, places, v);
}

/* Before contraction only calls without a graph join the Comp around them. `last` holds, per
 * parent, the latest sibling. */
static void join_foreign(struct sca_program_function *f, uint32_t *last)
{
    const struct sca_vertex *vertices = f->local->vertices;
    memset(last, 0, f->local->nvertices * sizeof *last);
    f->whole[0] = 0;
    for (uint32_t v = 1; v < f->local->nvertices; v++) {
        uint32_t p = vertices[v].parent, sibling = last[p];
        bool comp = vertices[v].kind == SCA_COMP || sca_psg_link_is_foreign(f, v);
        bool joins = comp && sibling && vertices[sibling].arm == vertices[v].arm &&
                     (vertices[sibling].kind == SCA_COMP || sca_psg_link_is_foreign(f, sibling));
        f->whole[v] = joins ? f->whole[sibling] : v;
        last[p] = v;
    }
}

static uint32_t most_vertices(const struct sca_program *program)
{
    uint32_t most = 1;
    for (uint32_t f = 0; f < program->nfunctions; f++)
        if (program->functions[f].local->nvertices > most)
            most = program->functions[f].local->nvertices;
    return most;
}

int sca_psg_contract(struct sca_program *program)
{
    int status = close_over_calls(program);
    if (status)
        return status;
    size_t most = most_vertices(program);
    struct place *places = malloc(most * sizeof *places);
    uint32_t *last = malloc(most * sizeof *last);
    if (!places || !last)
        status = sca_fail(SCA_ENOMEM, "out of memory for contraction");
    for (uint32_t f = 0; !status && f < program->nfunctions; f++) {
        join_foreign(&program->functions[f], last);
        contract(program, &program->functions[f], places);
    }
    free(places);
    free(last);
    return status;
}
