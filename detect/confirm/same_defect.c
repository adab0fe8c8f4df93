#include "confirm/same_defect.h"
#include "base/degrees.h"
#include "base/workspace.h"
#include "findings/named_place.h"
#include "imbalance/equalising.h"

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

/* What equalising the inner one takes from a rank on the call paths that lead through the outer
 * one. */
static double taken_inside(const struct defect_search *s, const struct sca_finding *inner,
                           const struct sca_finding *outer, uint32_t rank)
{
    double seconds = 0;
    for (uint32_t k = 0; k < inner->nvertices; k++)
        if (is_below(s, inner->vertices[k], outer) && !is_below(s, inner->vertices[k], inner))
            seconds += s->m->inclusive[(size_t)inner->vertices[k] * s->m->nranks + rank];
    return (1 - inner->transform.factor[rank]) * seconds;
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
        variance += 2 * sca_measure_place_variance(s->m, inner->vertices, inner->nvertices, r);
    }
    o.error = SCA_THREE_SIGMAS * sqrt(variance);
    return o;
}

/* What a run says of the outer one, that cores do not make it, it says of the inner one, too, if
 * they are the same: there is more of it. NULL: nothing. */
static const struct sca_evidence *confirmed_by(const struct sca_finding *inner,
                                               const struct sca_finding *outer)
{
    bool cores = sca_finding_has(inner, SCA_EVIDENCE_CORES) &&
                 !sca_finding_has(inner, SCA_EVIDENCE_NOT_CONFIRMED);
    return cores && !sca_finding_is_inconclusive(outer)
               ? sca_evidence_find(&outer->evidence, SCA_EVIDENCE_CONFIRMED)
               : NULL;
}

/* Cores are to blame for both or for neither. */
static bool are_alike_doubted(const struct sca_finding *inner, const struct sca_finding *outer)
{
    return sca_finding_is_inconclusive(inner) == sca_finding_is_inconclusive(outer) ||
           confirmed_by(inner, outer);
}

/* A rank's cuts into seconds per interval, where the greater counts. */
static void keep_greater(const struct sca_transform *t, uint32_t i, double *seconds)
{
    for (uint32_t k = t->first_cut[i]; k < t->first_cut[i + 1]; k++) {
        double *of = &seconds[t->cuts[k].interval];
        *of = fmax(*of, t->cuts[k].seconds);
    }
}

/* Empties the row again. */
static uint32_t write_row(double *seconds, uint32_t n, struct sca_cut *to)
{
    uint32_t written = 0;
    for (uint32_t g = 0; g < n; g++) {
        if (seconds[g] > 0)
            to[written++] = (struct sca_cut){g, seconds[g]};
        seconds[g] = 0;
    }
    return written;
}

/* The draft's place has all that the outer one has too much, and something on other paths: of two
 * cuts in an interval the greater counts. */
static void nest_cuts(const struct defect_search *s, struct sca_finding *draft,
                      const struct sca_finding *outer)
{
    if (!draft->transform.cuts || !outer->transform.cuts)
        return;
    uint32_t count = 0, n = s->m->run->intervals.n;
    double *seconds = sca_workspace_alloc(s->space, n, sizeof *seconds);
    struct sca_cut *cuts = sca_workspace_alloc(s->space, (size_t)n * draft->nranks, sizeof *cuts);
    uint32_t *first = sca_workspace_alloc(s->space, draft->nranks + 1, sizeof *first);
    for (uint32_t i = 0; i < draft->nranks; i++) {
        keep_greater(&draft->transform, i, seconds);
        keep_greater(&outer->transform, i, seconds);
        first[i + 1] = count += write_row(seconds, n, cuts + count);
    }
    draft->transform.cuts = cuts;
    draft->transform.first_cut = first;
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

/* *draft: the inner one. It is equalised by what the outer one has more, if all of that may be its;
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
    if (confirmed_by(inner, outer))
        sca_finding_add_evidence(s->space, draft, *confirmed_by(inner, outer));
    if (may_have_all && is_inside(s, inner, outer)) {
        sca_equalising_level_by(s->space, s->m, draft, o.more);
        take_cuts(draft, outer);
    } else if (may_have_all) {
        nest_cuts(s, draft, outer);
    }
    return true;
}

/* If the finding is the same defect as another, a better one tells of both. */
static void join_any(const struct defect_search *s, struct sca_ledger *ledger,
                     const struct sca_finding *finding)
{
    struct sca_finding draft;
    for (uint32_t k = 0; k < ledger->open.count; k++) {
        const struct sca_finding *other = ledger->open.items[k];
        if (other == finding || !join(s, other, finding, &draft))
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
