#include "psg/psg_link.h"

#include <stdlib.h>
#include <string.h>

static void add(uint64_t *sum, uint64_t value)
{
    *sum = *sum > UINT64_MAX - value ? UINT64_MAX : *sum + value;
}

static void add_all(struct sca_psg_stats *sum, const struct sca_psg_stats *more)
{
    add(&sum->before, more->before);
    add(&sum->after, more->after);
    add(&sum->loops, more->loops);
    add(&sum->branches, more->branches);
    add(&sum->comps, more->comps);
    add(&sum->mpis, more->mpis);
    add(&sum->calls, more->calls);
}

static uint64_t *column(struct sca_psg_stats *s, uint8_t kind)
{
    switch (kind) {
    case SCA_LOOP:
        return &s->loops;
    case SCA_BRANCH:
        return &s->branches;
    case SCA_COMP:
        return &s->comps;
    case SCA_MPI:
        return &s->mpis;
    default:
        return &s->calls;
    }
}

static bool has_source(const struct sca_program_function *f)
{
    return f->local->vertices[0].line > 0;
}

/* A library that is linked in without its source, such as a language's runtime, is no part of the
 * program's graph, unless it leads to MPI. Where main has no source, nothing has. */
static bool is_library(const struct sca_program *program, uint32_t callee,
                       const struct sca_psg_stats *totals)
{
    return program->main != SCA_NO_FUNCTION && has_source(&program->functions[program->main]) &&
           !has_source(&program->functions[callee]) &&
           !totals[program->functions[callee].component].mpis;
}

/* What one vertex adds to its component. A call is replaced by its callee's graph, except inside
 * a cycle, where it stays as the edge that closes it. */
static void count_vertex(const struct sca_program *program, const struct sca_program_function *f,
                         uint32_t v, const struct sca_psg_stats *totals, struct sca_psg_stats *sum)
{
    uint32_t callee = f->callee[v];
    bool is_known = callee != SCA_NO_FUNCTION && !(f->flags[v] & SCA_VF_RECURSIVE);
    bool is_leaf = is_known && is_library(program, callee, totals);
    bool expands = is_known && !is_leaf;
    const struct sca_psg_stats *inner =
        expands ? &totals[program->functions[callee].component] : NULL;
    if (f->whole[v] == v)
        add(&sum->before, expands ? inner->before : 1);
    if (f->kept[v] != v)
        return;
    if (expands && f->kind[v] == SCA_CALL) {
        struct sca_psg_stats contracted = *inner;
        contracted.before = 0;
        add_all(sum, &contracted);
        return;
    }
    add(&sum->after, 1);
    add(column(sum, is_leaf ? SCA_COMP : f->kind[v]), 1);
}

/* Callees have lower component numbers, so their totals are known. */
static void count_all(const struct sca_program *program, const struct sca_ordered_function *order,
                      struct sca_psg_stats *totals)
{
    for (uint32_t i = 0; i < program->nfunctions; i++) {
        const struct sca_program_function *f = &program->functions[order[i].function];
        for (uint32_t v = 1; v < f->local->nvertices; v++)
            count_vertex(program, f, v, totals, &totals[f->component]);
    }
}

/* A library has no main: its graph starts wherever nobody inside calls. */
static void mark_called(const struct sca_program *program, bool *called)
{
    for (uint32_t i = 0; i < program->nfunctions; i++) {
        const struct sca_program_function *f = &program->functions[i];
        for (uint32_t v = 0; v < f->local->nvertices; v++) {
            uint32_t callee = f->callee[v];
            if (callee != SCA_NO_FUNCTION && !(f->flags[v] & SCA_VF_RECURSIVE))
                called[program->functions[callee].component] = true;
        }
    }
}

static void add_root(struct sca_psg_stats *out, const struct sca_psg_stats *total)
{
    add_all(out, total);
    add(&out->before, 1);
    add(&out->after, 1);
}

void sca_psg_stats(const struct sca_program *program, struct sca_psg_stats *out)
{
    size_t n = program->nfunctions + 1;
    struct sca_psg_stats *totals = calloc(n, sizeof *totals);
    struct sca_ordered_function *order = sca_psg_cycles_callees_first(program);
    bool *called = calloc(n, sizeof *called);
    memset(out, 0, sizeof *out);
    if (totals && order && called) {
        count_all(program, order, totals);
        mark_called(program, called);
        if (program->main != SCA_NO_FUNCTION)
            add_root(out, &totals[program->functions[program->main].component]);
        for (uint32_t f = 0; program->main == SCA_NO_FUNCTION && f < program->nfunctions; f++) {
            uint32_t component = program->functions[f].component;
            if (!called[component])
                add_root(out, &totals[component]);
            called[component] = true;
        }
    }
    free(totals);
    free(order);
    free(called);
}
