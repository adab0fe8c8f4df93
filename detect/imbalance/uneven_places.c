#include "imbalance/uneven_places.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "graph/same_place.h"
#include "imbalance/abnormal_findings.h"
#include "imbalance/category.h"
#include "imbalance/skew.h"
#include "imbalance/code_intervals.h"
#include "measure/interval_bounds.h"
#include "measure/sides.h"
#include "stats/over_ranks.h"

#include <string.h>

struct uneven_search {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    double least;
    struct sca_ledger *out;
};

struct uneven_place {
    uint32_t *vertices, n; /* its call paths */
    double *here;          /* by rank: seconds there */
    bool *on;              /* per interval: its code runs there, */
    double *around;        /* by rank: seconds in those */
};

static void list(const struct uneven_search *s, uint32_t vertex, struct uneven_place *p)
{
    p->n = sca_same_place(s->space, s->m->ppg, vertex, &p->vertices);
    p->here = sca_workspace_alloc(s->space, s->m->nranks, sizeof *p->here);
    sca_measure_add_place(s->m, p->vertices, p->n, p->here);
}

/* Where the place's code runs in a run; returns the ranks' seconds there. */
static double *time_around(const struct uneven_search *s, const struct sca_measure *m,
                           const struct uneven_place *p, bool **on)
{
    const struct sca_within place = {s->ends, p->vertices, p->n};
    double *seconds = sca_workspace_alloc(s->space, m->nranks, sizeof *seconds);
    bool *all = sca_workspace_alloc(s->space, m->nranks, sizeof *all);
    memset(all, true, m->nranks * sizeof *all);
    *on = sca_workspace_alloc(s->space, m->run->intervals.n, sizeof **on);
    sca_code_intervals_mark(s->space, m, &place, all, *on);
    sca_code_intervals_time(m, *on, seconds);
    return seconds;
}

static double over_mean(const struct uneven_search *s, const double *row,
                        const struct sca_abnormal *a)
{
    double mean = sca_over_ranks_mean(row, s->m->nranks), sum = 0;
    for (uint32_t i = 0; i < a->nranks; i++)
        sum += row[a->ranks[i]] - mean;
    return sum;
}

static double most_saved(const struct uneven_search *s, const double *row)
{
    uint32_t n = s->m->nranks;
    return (sca_over_ranks_most(row, n) - sca_over_ranks_mean(row, n)) * n;
}

static bool is_nested(const struct uneven_search *s, uint32_t a, uint32_t b)
{
    return (a >= b && a < s->ends[b]) || (b >= a && b < s->ends[a]);
}

static bool shares_interval(const struct uneven_search *s, const struct sca_finding *f,
                            const bool *on)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(f);
    const bool *of = sca_interval_bounds_mark(s->space, s->m, &bounds);
    for (uint32_t g = 0; g < s->m->run->intervals.n; g++)
        if (on[g] && of[g])
            return true;
    return false;
}

static bool shares_rank(const struct sca_abnormal *a, const struct sca_finding *f)
{
    for (uint32_t i = 0, k = 0; i < a->nranks && k < f->nranks;) {
        if (a->ranks[i] == f->ranks[k])
            return true;
        if (a->ranks[i] < f->ranks[k])
            i++;
        else
            k++;
    }
    return false;
}

static bool lies_at(const struct uneven_search *s, const struct uneven_place *p,
                    const struct sca_finding *f)
{
    if (sca_finding_is_interval(f))
        return shares_interval(s, f, p->on);
    for (uint32_t k = 0; k < p->n; k++)
        for (uint32_t v = 0; v < f->nvertices; v++)
            if (is_nested(s, p->vertices[k], f->vertices[v]))
                return true;
    return false;
}

/* What is known of it, of a part of it, or of what is around it; NULL: nothing. */
static const struct sca_finding *
known_of(const struct uneven_search *s, const struct uneven_place *p, const struct sca_abnormal *a)
{
    for (uint32_t i = 0; i < s->out->open.count; i++)
        if (shares_rank(a, s->out->open.items[i]) && lies_at(s, p, s->out->open.items[i]))
            return s->out->open.items[i];
    return NULL;
}

/* Whether what is known is of something around it, and the place has most of that on the same
 * ranks: then it is the better place. */
static bool tells_better(const struct uneven_search *s, const struct uneven_place *p,
                         const struct sca_finding *known)
{
    struct sca_sides sides = sca_sides_of(s->space, s->m, p->here, known->ranks, known->nranks);
    for (uint32_t k = 0; k < p->n; k++)
        if (p->vertices[k] <= known->vertex || p->vertices[k] >= s->ends[known->vertex])
            return false;
    return !sca_finding_is_interval(known) && !sca_finding_rotates(known) &&
           sca_sides_excess(&sides, known->nranks) >= SCA_MOST * known->excess;
}

static uint32_t heaviest(const struct uneven_search *s, const struct uneven_place *p)
{
    uint32_t n = s->m->nranks, best = p->vertices[0];
    double most = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        double seconds = sca_over_ranks_mean(s->m->inclusive + (size_t)p->vertices[i] * n, n);
        if (seconds > most) {
            most = seconds;
            best = p->vertices[i];
        }
    }
    return best;
}

static struct sca_finding draft(const struct uneven_search *s, const struct uneven_place *p,
                                const struct sca_abnormal *a)
{
    struct sca_sides sides = sca_sides_of(s->space, s->m, p->here, a->ranks, a->nranks);
    struct sca_finding c = {.vertex = heaviest(s, p),
                            .vertices = p->vertices,
                            .nvertices = p->n,
                            .ranks = a->ranks,
                            .nranks = a->nranks,
                            .ratio = sca_sides_told_ratio(&sides, a->nranks),
                            .excess = sca_sides_excess(&sides, a->nranks)};
    struct sca_abnormal told = *a;
    told.around = a->excess;
    told.excess = c.excess;
    sca_abnormal_findings_add_evidence(s->space, &told, &c);
    c.category = sca_category_of(s->space, s->m, s->ends, &c);
    c.transform.factor = sca_workspace_alloc(s->space, s->m->nranks, sizeof *c.transform.factor);
    sca_skew_level_times(s->space, s->m, s->ends, p->around, &c);
    return c;
}

static void look_at(const struct uneven_search *s, uint32_t vertex)
{
    struct uneven_place p;
    struct sca_abnormal a;
    list(s, vertex, &p);
    if (most_saved(s, p.here) < SCA_MOST * s->least)
        return;
    p.around = time_around(s, s->m, &p, &p.on);
    if (most_saved(s, p.around) < s->least ||
        !sca_skew_judge(s->space, s->m, p.around, s->least, &a) ||
        over_mean(s, p.here, &a) < SCA_MOST * over_mean(s, p.around, &a))
        return;
    const struct sca_finding *known = known_of(s, &p, &a);
    if (known && !tells_better(s, &p, known))
        return;
    if (known) {
        a.ranks = known->ranks;
        a.nranks = known->nranks;
    }
    struct sca_finding found = draft(s, &p, &a);
    if (known)
        sca_ledger_refine(s->out, known, &found);
    else
        sca_ledger_append(s->out, &found);
}

/* From the inside out: who names an inner loop knows of the one around it. */
void sca_uneven_places_add(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *ends, double least, struct sca_ledger *out)
{
    const struct uneven_search s = {space, m, ends, least, out};
    uint32_t *place = sca_same_place_find(space, m->ppg);
    bool *seen = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *seen);
    for (uint32_t v = m->ppg->nvertices; v-- > 1;) {
        if (seen[place[v]] || m->ppg->vertices[v].kind != SCA_LOOP ||
            sca_named_place_calls_mpi(m->ppg, ends, v))
            continue;
        seen[place[v]] = true;
        look_at(&s, v);
    }
}
