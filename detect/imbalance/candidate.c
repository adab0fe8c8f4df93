#include "imbalance/candidate.h"
#include "imbalance/category.h"
#include "imbalance/levelling.h"
#include "stats/regression.h"
#include "imbalance/refine.h"
#include "sca_calling_path.h"

#include <math.h>
#include <string.h>

#define MOST_OF 0.8 /* a part that carries "it": 80 % */
#define HALF_OF 0.5

const char *sca_category_name(enum sca_category category)
{
    static const char *const names[] = {"imbalance", "serial", "nonscalable", "communication"};
    return names[category];
}

bool sca_calls_mpi(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex)
{
    for (uint32_t v = vertex; v < ends[vertex]; v++)
        if (ppg->vertices[v].kind == SCA_MPI)
            return true;
    return false;
}

struct inner {                       /* the carriers found so far below a vertex */
    double explained, best, seconds; /* best: the weight of one place, over all call paths to it */
    uint32_t first;
    bool alike;
};

struct carrying {
    const struct sca_ppg *ppg;
    const uint32_t *ends;
    const double *weight, *inclusive;
    bool *carrier;
    const uint32_t *place;
    double *of_place; /* scratch: zero between uses */
    bool (*alike)(void *context, uint32_t a, uint32_t b);
    void *context;
};

static struct inner look_below(const struct carrying *w, uint32_t v)
{
    struct inner in = {.first = SCA_NONE, .alike = true};
    for (uint32_t c = v + 1; c < w->ends[v]; c++) {
        if (!w->carrier[c])
            continue;
        in.explained += w->weight[c];
        w->of_place[w->place[c]] += w->weight[c];
        in.best = fmax(in.best, w->of_place[w->place[c]]);
        in.seconds += w->inclusive[c];
        if (in.first == SCA_NONE)
            in.first = c;
        else
            in.alike &= w->alike(w->context, in.first, c);
    }
    for (uint32_t c = v + 1; c < w->ends[v]; c++)
        w->of_place[w->place[c]] = 0;
    return in;
}

/* Whether the loop is the thing to name although inner vertices carry the weight together. */
static bool spread_over(const struct carrying *w, const struct inner *in, uint32_t v)
{
    return w->ppg->vertices[v].kind == SCA_LOOP && in->alike &&
           in->seconds >= MOST_OF * w->inclusive[v];
}

/* Whether what was found below it is named, not the vertex itself. Of a nest of loops that does not
 * communicate it is the innermost that holds all of it. */
static bool inner_carry(const struct carrying *w, uint32_t v)
{
    struct inner in = look_below(w, v);
    if (in.best >= MOST_OF * w->weight[v])
        return true;
    if (in.first == SCA_NONE || (in.alike && sca_is_nest(w->ppg, w->ends, v)))
        return false;
    if (in.explained >= MOST_OF * w->weight[v])
        return !spread_over(w, &in, v);
    return in.explained >= HALF_OF * w->weight[v];
}

uint32_t sca_carriers(struct sca_room *room, const struct sca_ppg *ppg, const uint32_t *ends,
                      const bool *flagged, const double *weight, const double *inclusive,
                      bool (*alike)(void *context, uint32_t a, uint32_t b), void *context,
                      uint32_t *out)
{
    uint32_t n = 0, nv = ppg->nvertices;
    struct carrying w = {.ppg = ppg, .ends = ends, .weight = weight, .inclusive = inclusive};
    w.carrier = sca_room_alloc(room, nv, sizeof *w.carrier);
    w.of_place = sca_room_alloc(room, nv, sizeof *w.of_place);
    w.place = sca_places(room, ppg);
    w.alike = alike;
    w.context = context;
    for (uint32_t v = nv; v-- > 1;) {
        if (!flagged[v] || inner_carry(&w, v))
            continue;
        memset(w.carrier + v, 0, ends[v] - v);
        w.carrier[v] = true;
    }
    for (uint32_t v = 0; v < nv; v++)
        if (w.carrier[v])
            out[n++] = v;
    return n;
}

bool sca_is_nest(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t v)
{
    bool round = ppg->vertices[v].kind == SCA_LOOP || ppg->vertices[v].drives;
    return round && !sca_calls_mpi(ppg, ends, v);
}

/* The nearest loop around, if it does not communicate; else SCA_NONE. */
static uint32_t nest_around(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex)
{
    uint32_t v = ppg->vertices[vertex].parent;
    while (v && ppg->vertices[v].kind != SCA_LOOP && !ppg->vertices[v].drives)
        v = ppg->vertices[v].parent;
    return v && sca_is_nest(ppg, ends, v) ? v : SCA_NONE;
}

uint32_t sca_named_vertex(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex)
{
    uint32_t kind = ppg->vertices[vertex].kind;
    if (kind != SCA_COMP && kind != SCA_BRANCH)
        return vertex;
    uint32_t loop = nest_around(ppg, ends, vertex);
    return loop == SCA_NONE ? vertex : loop;
}

uint32_t sca_whole_place(const struct sca_ppg *ppg, const uint32_t *ends, const double *weight,
                         uint32_t vertex)
{
    uint32_t v = sca_named_vertex(ppg, ends, vertex), around = v;
    while ((around = nest_around(ppg, ends, around)) != SCA_NONE)
        if (weight[v] < MOST_OF * weight[around])
            v = around;
    return v;
}

struct sca_candidate *sca_candidate_add(struct sca_candidates *candidates)
{
    return &candidates->items[candidates->count++];
}

struct finder {
    struct sca_room *room;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_abnormals *abnormals;
    const struct sca_measure *runs;
    uint32_t nruns;
    double threshold;
    double *weight, *inclusive;
    bool *flagged;
};

static const struct sca_abnormal *of_vertex(const struct finder *f, uint32_t v)
{
    uint32_t i = f->abnormals->of_vertex[v];
    return i == SCA_NONE ? NULL : &f->abnormals->items[i];
}

static bool same_ranks(void *context, uint32_t a, uint32_t b)
{
    const struct sca_abnormal *x = of_vertex(context, a), *y = of_vertex(context, b);
    return x && y && x->nranks == y->nranks &&
           !memcmp(x->ranks, y->ranks, x->nranks * sizeof *x->ranks);
}

static void weigh(struct finder *f)
{
    uint32_t nv = f->m->ppg->nvertices;
    f->weight = sca_room_alloc(f->room, nv, sizeof(double));
    f->inclusive = sca_room_alloc(f->room, nv, sizeof(double));
    f->flagged = sca_room_alloc(f->room, nv, sizeof(bool));
    for (uint32_t v = 0; v < nv; v++) {
        const struct sca_abnormal *a = of_vertex(f, v);
        if (!a)
            continue;
        f->flagged[v] = true;
        f->weight[v] = a->excess;
        f->inclusive[v] = a->excess + a->nranks * a->reference;
    }
}

/* Call paths that are abnormal by themselves, of those to one place. */
static uint32_t list_abnormal(const struct finder *f, const uint32_t *vertices, uint32_t n,
                              uint32_t *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (f->flagged[vertices[i]])
            out[kept++] = vertices[i];
    return kept;
}

static bool judge_paths(const struct finder *f, const uint32_t *vertices, uint32_t n,
                        struct sca_abnormal *out)
{
    return n && sca_abnormal_judge(f->room, f->m, f->ends, vertices, n, f->threshold, out);
}

/*
 * One place reached along several call paths is judged as a whole: what one path has less of,
 * another may have more of. If some of them have all the excess it is theirs; if the whole is not
 * abnormal the abnormal paths are, unless the others make up for them.
 */
static bool judge_place(const struct finder *f, uint32_t vertex, struct sca_candidate *c,
                        struct sca_abnormal *whole)
{
    struct sca_abnormal some;
    uint32_t *all, n = sca_same_place(f->room, f->m->ppg, vertex, &all);
    uint32_t *ill = sca_room_alloc(f->room, n, sizeof *ill), nill = list_abnormal(f, all, n, ill);
    bool by_all = judge_paths(f, all, n, whole);
    bool by_some = nill < n && judge_paths(f, ill, nill, &some);
    double least = by_all ? MOST_OF * whole->excess : 0;
    if (by_some && !by_all)
        by_some = sca_spread(f->room, f->m, all, n) >= HALF_OF * some.excess;
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

static uint32_t heaviest(const struct finder *f, const struct sca_candidate *c)
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

static bool already_there(const struct sca_ppg *ppg, const struct sca_candidates *candidates,
                          uint32_t v)
{
    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->items[i].vertex == v ||
            sca_is_same_place(&ppg->vertices[candidates->items[i].vertex], &ppg->vertices[v]))
            return true;
    return false;
}

/* The deepest place that has the excess by the word of all runs, and that the last run's samples
 * prove abnormal too: where they are few, something around it. False: there is none yet unnamed. */
static bool find_place(const struct finder *f, uint32_t vertex, const struct sca_candidates *out,
                       struct sca_candidate *c, struct sca_abnormal *whole)
{
    uint32_t v = sca_refine(f->room, f->runs, f->nruns, f->ends, f->threshold, vertex);
    for (;; v = f->m->ppg->vertices[v].parent) {
        uint32_t named = sca_named_vertex(f->m->ppg, f->ends, v);
        if (already_there(f->m->ppg, out, named) || already_there(f->m->ppg, out, v))
            return false;
        if (judge_place(f, named, c, whole) || (named != v && judge_place(f, v, c, whole)))
            return true;
        if (v == vertex)
            return false;
    }
}

static void add_abnormal(const struct finder *f, uint32_t vertex, struct sca_candidates *out)
{
    struct sca_abnormal whole;
    struct sca_candidate c = {0};
    if (!find_place(f, vertex, out, &c, &whole))
        return;
    c.nranks = whole.nranks;
    c.ranks = whole.ranks;
    c.ratio = whole.ratio;
    c.excess = whole.excess;
    c.doubted = whole.doubted;
    c.vertex = heaviest(f, &c);
    c.category = sca_category_of(f->room, f->m, f->ends, &c);
    sca_level_to(f->room, f->m, f->ends, &c, whole.reference);
    *sca_candidate_add(out) = c;
}

void sca_candidates_abnormal(struct sca_room *room, const struct sca_measure *runs, uint32_t nruns,
                             const uint32_t *ends, const struct sca_abnormals *abnormals,
                             double threshold, struct sca_candidates *out)
{
    const struct sca_measure *m = &runs[nruns - 1];
    struct finder f = {.room = room, .m = m, .ends = ends, .abnormals = abnormals};
    uint32_t *carriers = sca_room_alloc(room, m->ppg->nvertices, sizeof *carriers);
    f.runs = runs;
    f.nruns = nruns;
    f.threshold = threshold;
    weigh(&f);
    uint32_t n = sca_carriers(room, m->ppg, ends, f.flagged, f.weight, f.inclusive, same_ranks, &f,
                              carriers);
    for (uint32_t i = 0; i < n; i++)
        add_abnormal(&f, carriers[i], out);
}
