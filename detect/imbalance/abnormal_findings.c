#include "imbalance/abnormal_findings.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "graph/same_place.h"
#include "imbalance/abnormal_places.h"
#include "imbalance/category.h"
#include "imbalance/equalising.h"
#include "imbalance/place_known.h"
#include "imbalance/refine.h"
#include "imbalance/skew.h"

#include <math.h>
#include <string.h>

struct finder {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_abnormals *abnormals;
    const struct sca_measure *runs;
    uint32_t nruns;
    const struct sca_abnormal **places; /* abnormal_places.h */
    double *weight, *inclusive;
    bool *flagged;
};

/* By itself, else as one of its place. */
static const struct sca_abnormal *of_vertex(const struct finder *f, uint32_t v)
{
    uint32_t i = f->abnormals->of_vertex[v];
    return i == SCA_NONE ? f->places[v] : &f->abnormals->items[i];
}

static bool same_ranks(void *context, uint32_t a, uint32_t b)
{
    const struct sca_abnormal *x = of_vertex(context, a), *y = of_vertex(context, b);
    return x && y && x->nranks == y->nranks &&
           !memcmp(x->ranks, y->ranks, x->nranks * sizeof *x->ranks);
}

static bool share_rank(const struct sca_abnormal *a, const struct sca_abnormal *b)
{
    uint32_t i = 0, k = 0;
    while (i < a->nranks && k < b->nranks && a->ranks[i] != b->ranks[k])
        a->ranks[i] < b->ranks[k] ? i++ : k++;
    return i < a->nranks && k < b->nranks;
}

static double seconds_of(const struct finder *f, const struct sca_abnormal *a, uint32_t v)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->nranks; i++)
        sum += f->m->inclusive[(size_t)v * f->m->nranks + a->ranks[i]];
    return sum;
}

static void weigh(struct finder *f)
{
    uint32_t nv = f->m->ppg->nvertices;
    f->weight = sca_workspace_alloc(f->space, nv, sizeof(double));
    f->inclusive = sca_workspace_alloc(f->space, nv, sizeof(double));
    f->flagged = sca_workspace_alloc(f->space, nv, sizeof(bool));
    for (uint32_t v = 0; v < nv; v++) {
        const struct sca_abnormal *a = of_vertex(f, v);
        bool by_itself = f->abnormals->of_vertex[v] != SCA_NONE;
        double excess = a && !by_itself ? sca_abnormal_places_excess(f->space, f->m, a, v) : 0;
        if (!a || (!by_itself && excess <= 0))
            continue;
        f->flagged[v] = true;
        f->weight[v] = by_itself ? a->excess : excess;
        f->inclusive[v] = by_itself ? a->excess + a->nranks * a->reference : seconds_of(f, a, v);
    }
}

/* Call paths that are abnormal by themselves, of those to one place; on ranks of the whole, if that
 * is abnormal: others may have more on a path of their own. */
static uint32_t list_abnormal(const struct finder *f, const struct sca_abnormal *whole,
                              const uint32_t *vertices, uint32_t n, uint32_t *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t item = f->abnormals->of_vertex[vertices[i]];
        if (item != SCA_NONE && (!whole || share_rank(&f->abnormals->items[item], whole)))
            out[kept++] = vertices[i];
    }
    return kept;
}

/* All call paths to the vertex's place. */
static uint32_t list_outermost(const struct finder *f, uint32_t vertex, uint32_t **out)
{
    uint32_t n = sca_same_place(f->space, f->m->ppg, vertex, out), kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!sca_same_place_is_inside(f->m->ppg, (*out)[i]))
            (*out)[kept++] = (*out)[i];
    return kept;
}

static bool judge_paths(const struct finder *f, const uint32_t *vertices, uint32_t n,
                        struct sca_abnormal *out)
{
    return n && sca_abnormal_places_judge(f->space, f->m, f->ends, vertices, n,
                                          &f->abnormals->limits, out);
}

/*
 * One place reached along several call paths is judged as a whole: what one path has less of,
 * another may have more of. If some of them have all the excess it is theirs; if the whole is not
 * abnormal the abnormal paths are, unless the others make up for them.
 */
static bool judge_place(const struct finder *f, uint32_t vertex, struct sca_finding *c,
                        struct sca_abnormal *whole)
{
    struct sca_abnormal some;
    uint32_t *all, n = list_outermost(f, vertex, &all);
    bool by_all = judge_paths(f, all, n, whole);
    uint32_t *ill = sca_workspace_alloc(f->space, n, sizeof *ill),
             nill = list_abnormal(f, by_all ? whole : NULL, all, n, ill);
    bool by_some = nill < n && judge_paths(f, ill, nill, &some);
    double least = by_all ? SCA_MOST * whole->excess : 0;
    if (by_some && !by_all)
        by_some = sca_abnormal_spread(f->space, f->m, all, n) >= SCA_HALF * some.excess;
    c->vertices = all;
    c->nvertices = n;
    if (by_some && some.excess >= least) {
        *whole = some;
        c->vertices = ill;
        c->nvertices = nill;
        return true;
    }
    return by_all;
}

static uint32_t heaviest(const struct finder *f, const struct sca_finding *c)
{
    uint32_t best = c->vertices[0];
    double most = -1;
    for (uint32_t k = 0; k < c->nvertices; k++) {
        double seconds = 0;
        for (uint32_t i = 0; i < c->nranks; i++)
            seconds += f->m->inclusive[(size_t)c->vertices[k] * f->m->nranks + c->ranks[i]];
        if (seconds > most) {
            most = seconds;
            best = c->vertices[k];
        }
    }
    return best;
}

/* What exact times prove of a place in another must be most of what the other has too much. */
static bool holds(const struct finder *f, uint32_t v, uint32_t vertex, struct sca_finding *c,
                  struct sca_abnormal *whole)
{
    return judge_place(f, v, c, whole) &&
           (whole->around == 0 || whole->excess >= SCA_MOST * f->weight[vertex]);
}

/* The deepest place that has the excess by the word of all runs, and that the last run proves
 * abnormal too: where samples are few, something around it. False: there is none yet unnamed. */
static bool find_place(const struct finder *f, uint32_t vertex,
                       const struct sca_finding_list *known, struct sca_finding *c,
                       struct sca_abnormal *whole)
{
    uint32_t v = sca_refine_vertex(f->space, f->runs, f->nruns, f->ends,
                                   f->abnormals->limits.threshold, vertex);
    for (;; v = f->m->ppg->vertices[v].parent) {
        uint32_t named = sca_named_place_of(f->m->ppg, f->ends, v);
        if (sca_place_known_has(f->m->ppg, known, named) ||
            sca_place_known_has(f->m->ppg, known, v))
            return false;
        if (holds(f, named, vertex, c, whole) || (named != v && holds(f, v, vertex, c, whole)))
            return true;
        if (v == vertex)
            return false;
    }
}

void sca_abnormal_findings_add_evidence(struct sca_workspace *space, const struct sca_abnormal *a,
                                        struct sca_finding *draft)
{
    if (a->inconclusive)
        sca_finding_add_evidence(space, draft, (struct sca_evidence){.kind = SCA_EVIDENCE_CORES});
    if (a->around > 0)
        sca_finding_add_evidence(
            space, draft, (struct sca_evidence){SCA_EVIDENCE_BY_TIMES, 0, a->around, a->excess});
    if (a->skewed)
        sca_finding_add_evidence(space, draft, (struct sca_evidence){.kind = SCA_EVIDENCE_SKEWED});
    if (a->two_kinds)
        sca_finding_add_evidence(space, draft,
                                 (struct sca_evidence){.kind = SCA_EVIDENCE_TWO_GROUPS});
    if (a->no_core)
        sca_finding_add_evidence(space, draft, (struct sca_evidence){.kind = SCA_EVIDENCE_NO_CORE});
}

static void level(const struct finder *f, const struct sca_abnormal *whole, struct sca_finding *c)
{
    sca_abnormal_findings_add_evidence(f->space, whole, c);
    c->vertex = heaviest(f, c);
    c->category = sca_category_of(f->space, f->m, f->ends, c);
    if (whole->skewed)
        sca_skew_level_place(f->space, f->m, f->ends, c);
    else
        sca_equalising_level_to(f->space, f->m, f->ends, c, whole->reference);
}

/* What no sample of its ranks fell on is a line that only the others' samples tell: these do not
 * have what its ranks have more of. Exact times between two calls tell that better. */
static bool is_seen(const struct finder *f, const struct sca_finding *c)
{
    return sca_measure_samples_at(f->m, f->ends, c->vertices, c->nvertices, c->ranks, c->nranks) >
           0;
}

static void add_abnormal(const struct finder *f, uint32_t vertex, struct sca_ledger *out)
{
    struct sca_abnormal whole;
    struct sca_finding c = {0};
    if (!find_place(f, vertex, &out->open, &c, &whole))
        return;
    c.nranks = whole.nranks;
    c.ranks = whole.ranks;
    c.track = whole.track;
    c.ratio = whole.ratio;
    c.excess = whole.excess;
    if (!is_seen(f, &c))
        return;
    if (whole.skewed && sca_place_known_find(f->ends, &out->open, &c))
        return;
    level(f, &whole, &c);
    sca_ledger_append(out, &c);
}

static void find(struct finder *f, struct sca_ledger *out)
{
    uint32_t *carriers = sca_workspace_alloc(f->space, f->m->ppg->nvertices, sizeof *carriers);
    f->places = sca_abnormal_places(f->space, f->m, f->ends, f->abnormals);
    weigh(f);
    uint32_t n = sca_named_place_carriers(f->space, f->m->ppg, f->ends, f->flagged, f->weight,
                                          f->inclusive, same_ranks, f, carriers);
    for (uint32_t i = 0; i < n; i++)
        add_abnormal(f, carriers[i], out);
}

/* Nothing that stands out. */
static struct sca_abnormals none_of(struct sca_workspace *space, const struct sca_abnormals *known,
                                    uint32_t nvertices)
{
    struct sca_abnormals none = {.loss = known->loss, .limits = known->limits};
    none.of_vertex = sca_workspace_alloc(space, nvertices, sizeof *none.of_vertex);
    memset(none.of_vertex, 0xff, nvertices * sizeof *none.of_vertex);
    none.limits.threshold = INFINITY;
    return none;
}

void sca_abnormal_findings_add(struct sca_workspace *space, const struct sca_measure *runs,
                               uint32_t nruns, const uint32_t *ends,
                               const struct sca_abnormals *abnormals, struct sca_ledger *out)
{
    const struct sca_measure *m = &runs[nruns - 1];
    struct sca_abnormals stand_out = *abnormals,
                         uneven = none_of(space, abnormals, m->ppg->nvertices);
    stand_out.limits.least_uneven = INFINITY;
    struct finder f = {.space = space, .m = m, .ends = ends, .runs = runs, .nruns = nruns};
    f.abnormals = &stand_out;
    find(&f, out);
    f.abnormals = &uneven;
    find(&f, out);
}
