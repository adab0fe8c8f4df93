#include "findings/named_place.h"
#include "base/degrees.h"
#include "graph/mpi_function.h"
#include "graph/same_place.h"

#include <math.h>
#include <string.h>

bool sca_named_place_calls_mpi(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex)
{
    for (uint32_t v = vertex; v < ends[vertex]; v++)
        if (ppg->vertices[v].kind == SCA_MPI && !sca_mpi_function_is_local(ppg->vertices[v].name))
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
           in->seconds >= SCA_MOST * w->inclusive[v];
}

/* Whether what was found below it is named, not the vertex itself. Of a nest of loops that does not
 * communicate it is the innermost that holds all of it. */
static bool inner_carry(const struct carrying *w, uint32_t v)
{
    struct inner in = look_below(w, v);
    if (in.best >= SCA_MOST * w->weight[v])
        return true;
    if (in.first == SCA_NONE || (in.alike && sca_named_place_is_nest(w->ppg, w->ends, v)))
        return false;
    if (in.explained >= SCA_MOST * w->weight[v])
        return !spread_over(w, &in, v);
    return in.explained >= SCA_HALF * w->weight[v];
}

uint32_t sca_named_place_carriers(struct sca_workspace *space, const struct sca_ppg *ppg,
                                  const uint32_t *ends, const bool *flagged, const double *weight,
                                  const double *inclusive,
                                  bool (*alike)(void *context, uint32_t a, uint32_t b),
                                  void *context, uint32_t *out)
{
    uint32_t n = 0, nv = ppg->nvertices;
    struct carrying w = {.ppg = ppg, .ends = ends, .weight = weight, .inclusive = inclusive};
    w.carrier = sca_workspace_alloc(space, nv, sizeof *w.carrier);
    w.of_place = sca_workspace_alloc(space, nv, sizeof *w.of_place);
    w.place = sca_same_place_find(space, ppg);
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

bool sca_named_place_is_nest(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t v)
{
    bool round = ppg->vertices[v].kind == SCA_LOOP || ppg->vertices[v].drives;
    return round && !sca_named_place_calls_mpi(ppg, ends, v);
}

/* The nearest loop around, if it does not communicate; else SCA_NONE. */
static uint32_t nest_around(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex)
{
    uint32_t v = ppg->vertices[vertex].parent;
    while (v && ppg->vertices[v].kind != SCA_LOOP && !ppg->vertices[v].drives)
        v = ppg->vertices[v].parent;
    return v && sca_named_place_is_nest(ppg, ends, v) ? v : SCA_NONE;
}

/* A call that neither goes round nor comes to a loop. */
static bool is_plain_call(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex)
{
    if (ppg->vertices[vertex].kind != SCA_CALL)
        return false;
    for (uint32_t v = vertex; v < ends[vertex]; v++)
        if (ppg->vertices[v].kind == SCA_LOOP || ppg->vertices[v].drives)
            return false;
    return true;
}

uint32_t sca_named_place_of(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex)
{
    uint32_t kind = ppg->vertices[vertex].kind;
    if (kind != SCA_COMP && kind != SCA_BRANCH && !is_plain_call(ppg, ends, vertex))
        return vertex;
    uint32_t loop = nest_around(ppg, ends, vertex);
    return loop == SCA_NONE ? vertex : loop;
}

uint32_t sca_named_place_whole(const struct sca_ppg *ppg, const uint32_t *ends,
                               const double *weight, uint32_t vertex)
{
    uint32_t v = sca_named_place_of(ppg, ends, vertex), around = v;
    while ((around = nest_around(ppg, ends, around)) != SCA_NONE)
        if (weight[v] < SCA_MOST * weight[around])
            v = around;
    return v;
}
