#include "confirm/same_defect.h"
#include "confirm/joined_cuts.h"
#include "base/degrees.h"
#include "measure/sides.h"
#include "graph/same_place.h"
#include "findings/named_place.h"
#include "imbalance/levelling.h"

#include <math.h>
#include <string.h>

struct defect_search {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
};

static bool is_plain(const struct sca_finding *c)
{
    return c->category <= SCA_CAUSE_SERIAL && !sca_finding_rotates(c) &&
           !sca_finding_is_interval(c) && !sca_finding_has(c, SCA_EVIDENCE_SKEWED) &&
           c->transform.factor && !sca_finding_has(c, SCA_EVIDENCE_SINGLE);
}

static bool on_the_same_ranks(const struct sca_finding *a, const struct sca_finding *b)
{
    return a->nranks == b->nranks && !memcmp(a->ranks, b->ranks, a->nranks * sizeof *a->ranks);
}

/* Whether a vertex lies below one of the finding's. */
static bool is_below(const struct defect_search *s, uint32_t vertex, const struct sca_finding *c)
{
    for (uint32_t k = 0; k < c->nvertices; k++)
        if (vertex > c->vertices[k] && vertex < s->ends[c->vertices[k]])
            return true;
    return false;
}

/* Whether each of the inner one's call paths leads through the outer one. */
static bool is_inside(const struct defect_search *s, const struct sca_finding *inner,
                      const struct sca_finding *outer)
{
    for (uint32_t i = 0; i < inner->nvertices; i++)
        if (!is_below(s, inner->vertices[i], outer))
            return false;
    return true;
}

/* Of one rank, once if a path lies in another: recursion. */
static double seconds_of(const struct defect_search *s, const struct sca_finding *c, uint32_t rank)
{
    double seconds = 0;
    for (uint32_t k = 0; k < c->nvertices; k++)
        if (!is_below(s, c->vertices[k], c))
            seconds += s->m->inclusive[(size_t)c->vertices[k] * s->m->nranks + rank];
    return seconds;
}

/* What levelling the inner one takes from a rank on the call paths that lead through the outer
 * one. */
static double taken_inside(const struct defect_search *s, const struct sca_finding *inner,
                           const struct sca_finding *outer, uint32_t rank)
{
    const struct sca_transform *t = &inner->transform;
    double seconds = 0;
    for (uint32_t k = 0; k < inner->nvertices; k++) {
        double left = t->factors ? t->factors[(size_t)k * s->m->nranks + rank] : t->factor[rank];
        if (is_below(s, inner->vertices[k], outer) && !is_below(s, inner->vertices[k], inner))
            seconds +=
                (1 - left) * s->m->inclusive[(size_t)inner->vertices[k] * s->m->nranks + rank];
    }
    return seconds;
}

static double variance_of(const struct defect_search *s, const struct sca_finding *c, uint32_t rank)
{
    double variance = 0;
    for (uint32_t k = 0; k < c->nvertices; k++) {
        double noise = s->m->noise[(size_t)c->vertices[k] * s->m->nranks + rank];
        variance += noise * noise;
    }
    return variance;
}

struct overlap {
    double *more; /* by rank: the outer one's excess */
    double all;   /* of that, */
    double seen;  /* so much is the inner one's; */
    double error; /* as far as its samples may mislead */
};

static struct overlap measure_overlap(const struct defect_search *s,
                                      const struct sca_finding *inner,
                                      const struct sca_finding *outer)
{
    struct overlap o = {.more = sca_workspace_alloc(s->space, outer->nranks, sizeof *o.more)};
    double variance = 0;
    for (uint32_t i = 0; i < outer->nranks; i++) {
        uint32_t r = outer->ranks[i];
        o.more[i] = (1 - outer->transform.factor[r]) * seconds_of(s, outer, r);
        o.all += o.more[i];
        o.seen += taken_inside(s, inner, outer, r);
        variance += 2 * variance_of(s, inner, r);
    }
    o.error = SCA_THREE_SIGMAS * sqrt(variance);
    return o;
}

/* Cores are to blame for both or for neither. */
static bool are_alike_doubted(const struct sca_finding *a, const struct sca_finding *b)
{
    return sca_finding_is_doubted(a) == sca_finding_is_doubted(b);
}

/* Exact times told in which intervals the outer one has too much, and all of that is the inner
 * one's: more than it has where samples saw it. */
static void take_cuts(struct sca_finding *draft, const struct sca_finding *outer)
{
    if (!outer->transform.cuts)
        return;
    draft->transform.cuts = outer->transform.cuts;
    draft->transform.first_cut = outer->transform.first_cut;
}

/* *draft: the inner one. It is levelled by what the outer one has more, if all of that may be its;
 * if it has nearly all, the rest is nobody's. */
static bool join(const struct defect_search *s, const struct sca_finding *inner,
                 const struct sca_finding *outer, struct sca_finding *draft)
{
    if (!is_plain(inner) || !is_plain(outer) || !are_alike_doubted(inner, outer) ||
        !on_the_same_ranks(inner, outer))
        return false;
    struct overlap o = measure_overlap(s, inner, outer);
    bool may_have_all = o.seen >= SCA_HALF * o.all && o.all - o.seen <= o.error;
    if (!may_have_all && o.seen < SCA_MOST * o.all)
        return false;
    *draft = *inner;
    if (may_have_all && is_inside(s, inner, outer)) {
        sca_levelling_level_by(s->space, s->m, draft, o.more);
        take_cuts(draft, outer);
    } else if (may_have_all) { /* and something on other paths */
        sca_joined_cuts_nest(s->space, s->m, draft, outer);
    }
    return true;
}

/* ---- one place on several call paths ---- */

static bool has_vertex(const struct sca_finding *c, uint32_t vertex)
{
    for (uint32_t k = 0; k < c->nvertices; k++)
        if (c->vertices[k] == vertex)
            return true;
    return false;
}

static bool may_be_path_of(const struct sca_finding *path, const struct sca_finding *c)
{
    return path->interval.part != SCA_NO_INTERVAL && path->category <= SCA_CAUSE_SERIAL &&
           path->transform.factor && !sca_finding_rotates(c) && c->category <= SCA_CAUSE_SERIAL &&
           c->transform.factor && are_alike_doubted(path, c) && on_the_same_ranks(path, c);
}

/* Seconds of the named ranks at a vertex on the finding's way. */
static double seconds_on_bounds(const struct defect_search *s, const struct sca_finding *c,
                                uint32_t v)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(c);
    const bool *on = sca_interval_bounds_mark(s->space, s->m, &bounds);
    double seconds = 0;
    for (uint32_t interval = 0; interval < s->m->run->intervals.n; interval++)
        for (uint32_t i = 0; i < c->nranks && on[interval]; i++)
            seconds += sca_measure_part_in(s->m, s->ends, &v, 1, c->ranks[i], interval);
    return seconds;
}

/* Samples of some run tell the line on that path: the place itself, or what is around it there. */
static uint32_t told_path(const struct defect_search *s, const struct sca_finding *path,
                          const struct sca_finding *c, const uint32_t *all, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (all[i] >= path->vertex && all[i] < s->ends[path->vertex] && !has_vertex(c, all[i]))
            return all[i];
    return SCA_NONE;
}

/* The path of the other's place on which what is known by its interval lies: samples of some run
 * say so, or no line was told and the place is there. SCA_NONE: none. */
static uint32_t path_in(const struct defect_search *s, const struct sca_finding *path,
                        const struct sca_finding *c)
{
    const struct sca_ppg *ppg = s->m->ppg;
    uint32_t *all, n = sca_same_place(s->space, ppg, c->vertex, &all), best = SCA_NONE;
    if (!sca_named_place_calls_mpi(ppg, s->ends, path->vertex))
        return told_path(s, path, c, all, n);
    double most = SCA_SOME * path->excess;
    for (uint32_t i = 0; i < n && !sca_named_place_calls_mpi(ppg, s->ends, c->vertex); i++) {
        double seconds = has_vertex(c, all[i]) ? 0 : seconds_on_bounds(s, path, all[i]);
        if (seconds >= most) {
            most = seconds;
            best = all[i];
        }
    }
    return best;
}

/* Its factors by path, and those of one path more, on which nothing is taken yet. */
static double *extend_factors(const struct defect_search *s, const struct sca_finding *c)
{
    uint32_t n = s->m->nranks;
    double *factors =
        sca_workspace_alloc(s->space, ((size_t)c->nvertices + 1) * n, sizeof *factors);
    for (uint32_t k = 0; k <= c->nvertices; k++)
        for (uint32_t r = 0; r < n; r++)
            factors[(size_t)k * n + r] = k == c->nvertices ? 1
                                         : c->transform.factors
                                             ? c->transform.factors[(size_t)k * n + r]
                                             : c->transform.factor[r];
    return factors;
}

/* Makes a draft of what is known by an interval, or of a place around, one of the vertex. */
static void settle_at(const struct defect_search *s, struct sca_finding *c, uint32_t vertex)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(c);
    const double *all = sca_finding_is_interval(c)
                            ? sca_interval_bounds_measure(s->space, s->m, &bounds).seconds
                            : NULL;
    const double *own = s->m->inclusive + (size_t)vertex * s->m->nranks;
    c->transform.factor = sca_workspace_grow(s->space, c->transform.factor, s->m->nranks,
                                             s->m->nranks, sizeof *c->transform.factor);
    for (uint32_t i = 0; i < c->nranks; i++) {
        uint32_t r = c->ranks[i];
        double taken = (1 - c->transform.factor[r]) * (all ? all[r] : seconds_of(s, c, r));
        c->transform.factor[r] = own[r] > 0 ? fmax(0, 1 - taken / own[r]) : 1;
    }
    c->transform.cuts = NULL;
    c->vertex = vertex;
    c->interval.part = SCA_NO_INTERVAL;
    c->interval.any = false;
}

static double ratio_of(const struct defect_search *s, const struct sca_finding *c)
{
    double *row = sca_workspace_alloc(s->space, s->m->nranks, sizeof *row);
    for (uint32_t r = 0; r < s->m->nranks; r++)
        row[r] = seconds_of(s, c, r);
    struct sca_sides sides = sca_sides_of(s->space, s->m, row, c->ranks, c->nranks);
    return sca_sides_told_ratio(&sides, c->nranks);
}

static void add_path(const struct defect_search *s, struct sca_finding *c,
                     const struct sca_finding *path)
{
    uint32_t *vertices = sca_workspace_alloc(s->space, c->nvertices + 1, sizeof *vertices);
    double *factors = extend_factors(s, c);
    memcpy(vertices, c->vertices, c->nvertices * sizeof *vertices);
    vertices[c->nvertices] = path->vertex;
    for (uint32_t i = 0; i < c->nranks; i++)
        factors[(size_t)c->nvertices * s->m->nranks + c->ranks[i]] =
            path->transform.factor[c->ranks[i]];
    c->vertices = vertices;
    c->transform.factors = factors;
    c->nvertices++;
    c->excess += path->excess;
    c->ratio = ratio_of(s, c);
}

/* *draft: the finding with one path more. */
static bool join_path(const struct defect_search *s, const struct sca_finding *c,
                      const struct sca_finding *path, struct sca_finding *draft)
{
    uint32_t at = may_be_path_of(path, c) ? path_in(s, path, c) : SCA_NONE;
    if (at == SCA_NONE)
        return false;
    struct sca_finding on_path = *path;
    settle_at(s, &on_path, at);
    *draft = *c;
    if (sca_finding_is_interval(draft))
        settle_at(s, draft, draft->vertex);
    sca_joined_cuts_add(s->space, s->m, draft, path);
    add_path(s, draft, &on_path);
    return true;
}

/* If the finding is the same defect as another, a better one tells of both. */
static void join_any(const struct defect_search *s, struct sca_ledger *ledger,
                     const struct sca_finding *finding)
{
    struct sca_finding draft;
    for (uint32_t k = 0; k < ledger->open.count; k++) {
        const struct sca_finding *other = ledger->open.items[k];
        if (other == finding ||
            !(join_path(s, other, finding, &draft) || join(s, other, finding, &draft)))
            continue;
        sca_finding_add_evidence(
            s->space, &draft,
            (struct sca_evidence){.kind = SCA_EVIDENCE_JOINED, .of = finding->number});
        other = sca_ledger_refine(ledger, other, &draft);
        sca_ledger_close(ledger, finding,
                         (struct sca_outcome){.kind = SCA_OUTCOME_JOINED, .of = other->number});
        return;
    }
}

void sca_same_defect_join(struct sca_workspace *space, const struct sca_measure *m,
                          const uint32_t *ends, struct sca_ledger *ledger)
{
    const struct defect_search s = {space, m, ends};
    for (uint32_t i = ledger->open.count; i-- > 0;)
        join_any(&s, ledger, ledger->open.items[i]);
}
