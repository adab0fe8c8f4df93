#include "imbalance/abnormal_places.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "graph/same_place.h"
#include "imbalance/rank_contrast.h"
#include "measure/sides.h"
#include "stats/poisson.h"

#include <math.h>
#include <string.h>

struct places {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_abnormals *abnormals;
    uint32_t *next;     /* per vertex, the next of the same place; SCA_NONE: the last */
    uint32_t *vertices; /* of the place at hand */
};

/* Lists are made from the back, so that each is in the graph's order; `first` is by place. */
static uint32_t *link(struct places *p)
{
    uint32_t nv = p->m->ppg->nvertices, *place = sca_same_place_find(p->space, p->m->ppg);
    uint32_t *first = sca_workspace_alloc(p->space, nv, sizeof *first);
    p->next = sca_workspace_alloc(p->space, nv, sizeof *p->next);
    memset(first, 0xff, nv * sizeof *first);
    for (uint32_t v = nv; v-- > 1;) {
        p->next[v] = first[place[v]];
        first[place[v]] = v;
    }
    return first;
}

static uint32_t list(struct places *p, uint32_t first)
{
    uint32_t n = 0;
    for (uint32_t v = first; v != SCA_NONE; v = p->next[v])
        if (!sca_same_place_is_inside(p->m->ppg, v))
            p->vertices[n++] = v;
    return n;
}

static void add_up(const struct sca_measure *m, const uint32_t *vertices, uint32_t n, double *row)
{
    memset(row, 0, m->nranks * sizeof *row);
    sca_measure_add_place(m, vertices, n, row);
}

/* No more than that of all its vertices: spares most places the closer look. */
static double most_loss(const struct places *p, uint32_t n)
{
    double loss = 0;
    for (uint32_t i = 0; i < n; i++)
        loss += p->abnormals->loss[p->vertices[i]];
    return loss;
}

/* What the place has of the excess of those ranks. */
static void measure_place(struct sca_workspace *space, const struct sca_measure *m,
                          const uint32_t *vertices, uint32_t n, struct sca_abnormal *a)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *row = sca_workspace_alloc(&scratch, m->nranks, sizeof *row), most = 0;
    add_up(m, vertices, n, row);
    struct sca_sides sides = sca_sides_of(&scratch, m, row, a->ranks, a->nranks);
    for (uint32_t i = 0; i < a->nranks; i++)
        most = fmax(most, row[a->ranks[i]]);
    a->vertex = vertices[0];
    a->reference = sides.usual;
    a->excess = sca_sides_excess(&sides, a->nranks);
    a->most = most - sides.usual;
    a->ratio = sca_sides_told_ratio(&sides, a->nranks);
    sca_workspace_free(&scratch);
}

/* Whether its samples, beside those of others, are too many for chance: that there is something,
 * times prove; that it is here, samples must tell with confidence. */
static bool samples_tell(const struct sca_measure *m, const uint32_t *vertices, uint32_t n,
                         const struct sca_abnormal *a)
{
    double seconds = 0, variance = 0;
    for (uint32_t k = 0; k < a->nranks; k++) {
        seconds += sca_measure_place_seconds(m, vertices, n, a->ranks[k]);
        variance += sca_measure_place_variance(m, vertices, n, a->ranks[k]);
    }
    if (variance <= 0)
        return seconds > 0;
    double found = seconds * seconds / variance;
    double expected = a->nranks * (a->reference * seconds / variance + 1.0 / m->npresent);
    return sca_poisson_surprise(found, expected) >= -log(SCA_UNLIKELY);
}

/* Of what its ranks have too much around it, as samples are divided (posterior.h): a place that has
 * most of it is the one; that half of it is there must be no chance. */
static bool judge_by_times(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *ends, const uint32_t *vertices, uint32_t n,
                           const struct sca_abnormal_limits *limits, struct sca_abnormal *out)
{
    struct sca_abnormal_limits asked = *limits;
    /* a loop is shared out; who calls what else is another matter */
    if (!sca_named_place_is_nest(m->ppg, ends, vertices[0]))
        asked.least_uneven = INFINITY;
    const struct sca_within place = {ends, vertices, n, 0};
    if (!sca_rank_contrast_around(space, m, &place, &asked, out))
        return false;
    double around = out->excess;
    measure_place(space, m, vertices, n, out);
    out->around = around;
    return out->excess >= SCA_MOST * around ||
           (out->excess >= SCA_HALF * around && samples_tell(m, vertices, n, out));
}

bool sca_abnormal_places_judge(struct sca_workspace *space, const struct sca_measure *m,
                               const uint32_t *ends, const uint32_t *vertices, uint32_t n,
                               const struct sca_abnormal_limits *limits, struct sca_abnormal *out)
{
    return sca_abnormal_judge(space, m, ends, vertices, n, limits->threshold, out) ||
           judge_by_times(space, m, ends, vertices, n, limits, out);
}

static const struct sca_abnormal *judge(struct places *p, uint32_t n)
{
    struct sca_abnormal found;
    const struct sca_abnormal_limits *limits = &p->abnormals->limits;
    if (most_loss(p, n) < limits->least ||
        !sca_abnormal_places_judge(p->space, p->m, p->ends, p->vertices, n, limits, &found) ||
        found.most * p->m->nranks < limits->least)
        return NULL;
    struct sca_abnormal *kept = sca_workspace_alloc(p->space, 1, sizeof *kept);
    *kept = found;
    return kept;
}

const struct sca_abnormal **sca_abnormal_places(struct sca_workspace *space,
                                                const struct sca_measure *m, const uint32_t *ends,
                                                const struct sca_abnormals *abnormals)
{
    struct places p = {.space = space, .m = m, .ends = ends, .abnormals = abnormals};
    uint32_t nv = m->ppg->nvertices, *first = link(&p);
    const struct sca_abnormal **out = sca_workspace_alloc(space, nv, sizeof *out);
    p.vertices = sca_workspace_alloc(space, nv, sizeof *p.vertices);
    for (uint32_t place = 1; place < nv; place++) {
        uint32_t v = first[place];
        if (v == SCA_NONE || m->ppg->vertices[v].kind == SCA_MPI)
            continue;
        const struct sca_abnormal *found = judge(&p, list(&p, v));
        for (; found && v != SCA_NONE; v = p.next[v])
            out[v] = found;
    }
    return out;
}

double sca_abnormal_places_excess(struct sca_workspace *space, const struct sca_measure *m,
                                  const struct sca_abnormal *a, uint32_t vertex)
{
    struct sca_abnormal here = *a;
    measure_place(space, m, &vertex, 1, &here);
    return here.excess;
}
