#include "candidate.h"
#include "category.h"
#include "levelling.h"
#include "model.h"
#include "refine.h"
#include "sca_calling_path.h"

#include <math.h>
#include <string.h>

#define MOST_OF   0.8 /* a part that carries "it": 80 % */
#define HALF_OF   0.5
#define SAME_LOOP 1.25 /* a loop with no more than this of its body's excess is named for it */

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

/* Whether what was found below it is named, not the vertex itself. */
static bool inner_carry(const struct carrying *w, uint32_t v)
{
    struct inner in = look_below(w, v);
    if (in.best >= MOST_OF * w->weight[v])
        return true;
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

/* Headers of the system are inlined everywhere: who calls them can change something. */
static uint32_t out_of_systems(const struct sca_ppg *ppg, uint32_t vertex)
{
    uint32_t v = vertex;
    while (v && sca_is_system_file(ppg->vertices[v].file))
        v = ppg->vertices[v].parent;
    return v ? v : vertex;
}

uint32_t sca_named_vertex(const struct sca_ppg *ppg, const uint32_t *ends, const double *weight,
                          uint32_t vertex)
{
    uint32_t v = out_of_systems(ppg, vertex);
    bool called = v != vertex;
    vertex = v;
    while (v && (ppg->vertices[v].kind == SCA_COMP || ppg->vertices[v].kind == SCA_BRANCH ||
                 (called && ppg->vertices[v].kind == SCA_CALL)))
        v = ppg->vertices[v].parent;
    if (v == vertex || ppg->vertices[v].kind != SCA_LOOP || sca_calls_mpi(ppg, ends, v))
        return vertex;
    return weight[v] > 0 && weight[v] <= SAME_LOOP * weight[vertex] ? v : vertex;
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
static uint32_t keep_abnormal(const struct finder *f, uint32_t *vertices, uint32_t n,
                              double *excess)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (f->flagged[vertices[i]]) {
            *excess += f->weight[vertices[i]];
            vertices[kept++] = vertices[i];
        }
    return kept;
}

/*
 * One place reached along several call paths is judged as a whole: what one path has less of,
 * another may have more of. If the whole is abnormal it is the candidate; if it is not, the
 * abnormal paths are, unless the others make up for them.
 */
static bool judge_place(const struct finder *f, uint32_t vertex, struct sca_candidate *c,
                        struct sca_abnormal *whole)
{
    double alone = 0;
    c->nvertices = sca_same_place(f->room, f->m->ppg, vertex, &c->vertices);
    if (sca_abnormal_judge(f->room, f->m, f->ends, c->vertices, c->nvertices, f->threshold, whole))
        return true;
    c->nvertices = keep_abnormal(f, c->vertices, c->nvertices, &alone);
    if (!c->nvertices ||
        !sca_abnormal_judge(f->room, f->m, f->ends, c->vertices, c->nvertices, f->threshold, whole))
        return false;
    uint32_t *all;
    uint32_t n = sca_same_place(f->room, f->m->ppg, vertex, &all);
    return sca_spread(f->room, f->m, all, n) >= HALF_OF * whole->excess;
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

/* Parts below what samples can prove abnormal have an excess all the same. */
static void weigh_up_to_loop(const struct finder *f, uint32_t vertex)
{
    for (uint32_t v = vertex; v; v = f->m->ppg->vertices[v].parent) {
        if (f->weight[v] <= 0)
            f->weight[v] = sca_spread(f->room, f->m, &v, 1);
        if (f->m->ppg->vertices[v].kind == SCA_LOOP)
            return;
    }
}

/* The deepest place that has the excess by the word of all runs, and that the last run's samples
 * prove abnormal too: where they are few, something around it. False: there is none yet unnamed. */
static bool find_place(const struct finder *f, uint32_t vertex, const struct sca_candidates *out,
                       struct sca_candidate *c, struct sca_abnormal *whole)
{
    uint32_t v = sca_refine(f->room, f->runs, f->nruns, f->ends, f->threshold, vertex);
    for (;; v = f->m->ppg->vertices[v].parent) {
        weigh_up_to_loop(f, v);
        uint32_t named = sca_named_vertex(f->m->ppg, f->ends, f->weight, v);
        if (already_there(f->m->ppg, out, named))
            return false;
        if (judge_place(f, named, c, whole))
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
