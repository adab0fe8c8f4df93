#include "imbalance/levelling.h"
#include "measure/sides.h"
#include "stats/median.h"

#include <math.h>

#define HALF_OF 0.5 /* of an interval, or of its excess: then all of that is the place's */

enum { MOST_ASKED = 256 }; /* other ranks: more hardly move a median */

struct comparison {          /* of one rank with the others, in an interval */
    double seconds, usual;   /* all of it */
    double part, usual_part; /* the place's */
};

/* Ranks that are not named, evenly spread. */
static uint32_t list_others(const struct sca_measure *m, const struct sca_finding *c, uint32_t *out)
{
    uint32_t n = 0, stride = 1 + m->nranks / MOST_ASKED;
    for (uint32_t r = 0, i = 0; r < m->nranks; r++) {
        bool named = i < c->nranks && c->ranks[i] == r;
        i += named;
        if (!named && sca_measure_is_present(m, r) && r % stride == 0)
            out[n++] = r;
    }
    return n;
}

/* What the place's excess is in an interval. Samples say how much of it is there, exact times how
 * much there is: all of that is the place's if it has most of it. */
static double excess_in(const struct comparison *x)
{
    double all = x->seconds - x->usual, part = x->part - x->usual_part;
    bool is_its = x->part + x->usual_part >= HALF_OF * (x->seconds + x->usual);
    return is_its || (all > 0 && part >= HALF_OF * all) ? all : part;
}

struct excess_search {
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_finding *c;
    uint32_t *others, nothers;
    double *seconds, *parts; /* of the others, in an interval */
};

static double part_of(const struct excess_search *s, uint32_t rank, uint32_t interval)
{
    return sca_measure_part_in(s->m, s->ends, s->c->vertices, s->c->nvertices, rank, interval);
}

/* Adds an interval's excess: `out` is by c->ranks. */
static void add_interval(struct excess_search *s, uint32_t interval, double *out)
{
    struct comparison x;
    for (uint32_t k = 0; k < s->nothers; k++) {
        s->parts[k] = part_of(s, s->others[k], interval);
        s->seconds[k] = sca_measure_seconds_in(s->m, s->others[k], interval);
    }
    x.usual = sca_median(s->seconds, s->nothers);
    x.usual_part = sca_median(s->parts, s->nothers);
    for (uint32_t i = 0; i < s->c->nranks; i++) {
        x.part = part_of(s, s->c->ranks[i], interval);
        x.seconds = sca_measure_seconds_in(s->m, s->c->ranks[i], interval);
        if (x.part + x.usual_part > 0)
            out[i] += excess_in(&x);
    }
}

/* By how much the named ranks compute longer at the place than the others do. */
static void measure_excess(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *ends, const struct sca_finding *c, double *out)
{
    struct excess_search s = {m, ends, c, NULL, 0, NULL, NULL};
    s.others = sca_workspace_alloc(space, m->nranks, sizeof *s.others);
    s.nothers = list_others(m, c, s.others);
    s.seconds = sca_workspace_alloc(space, s.nothers + 1, sizeof *s.seconds);
    s.parts = sca_workspace_alloc(space, s.nothers + 1, sizeof *s.parts);
    for (uint32_t interval = 0; interval < m->run->intervals.n; interval++)
        add_interval(&s, interval, out);
}

/* A rank may have its excess on one of several call paths: from that one it is taken, and not from
 * those where it needs no more than the others. */
static void level_paths(struct sca_workspace *space, const struct sca_measure *m,
                        struct sca_finding *c)
{
    uint32_t nranks = m->nranks;
    double *seconds = sca_workspace_alloc(space, nranks, sizeof *seconds);
    double *excess = sca_workspace_alloc(space, nranks, sizeof *excess);
    c->transform.factors =
        sca_workspace_alloc(space, (size_t)c->nvertices * nranks, sizeof *c->transform.factors);
    for (uint32_t k = 0; k < c->nvertices; k++) { /* usual: what the others need on the path */
        const double *own = m->inclusive + (size_t)c->vertices[k] * nranks;
        double usual = sca_sides_of(space, m, own, c->ranks, c->nranks).usual;
        for (uint32_t r = 0; r < nranks; r++) {
            c->transform.factors[(size_t)k * nranks + r] = fmax(0, own[r] - usual);
            excess[r] += fmax(0, own[r] - usual);
            seconds[r] += own[r];
        }
    }
    for (uint32_t k = 0; k < c->nvertices; k++)
        for (uint32_t r = 0; r < nranks; r++) {
            double *of = &c->transform.factors[(size_t)k * nranks + r];
            double own = m->inclusive[(size_t)c->vertices[k] * nranks + r];
            double taken =
                excess[r] > 0 ? (1 - c->transform.factor[r]) * seconds[r] * *of / excess[r] : 0;
            *of = own > 0 ? fmax(0, 1 - taken / own) : 1;
        }
}

void sca_levelling_level_by(struct sca_workspace *space, const struct sca_measure *m,
                            struct sca_finding *c, const double *more)
{
    c->transform.factor = sca_workspace_grow(space, c->transform.factor, m->nranks, m->nranks,
                                             sizeof *c->transform.factor);
    for (uint32_t i = 0; i < c->nranks; i++) {
        double seconds = 0;
        for (uint32_t k = 0; k < c->nvertices; k++)
            seconds += m->inclusive[(size_t)c->vertices[k] * m->nranks + c->ranks[i]];
        c->transform.factor[c->ranks[i]] = seconds > 0 ? fmax(0, 1 - more[i] / seconds) : 1;
    }
    if (c->nvertices > 1)
        level_paths(space, m, c);
}

void sca_levelling_level_to(struct sca_workspace *space, const struct sca_measure *m,
                            const uint32_t *ends, struct sca_finding *c, double reference)
{
    uint32_t nranks = m->nranks;
    double *excess = sca_workspace_alloc(space, c->nranks, sizeof *excess);
    c->transform.factor = sca_workspace_alloc(space, nranks, sizeof *c->transform.factor);
    measure_excess(space, m, ends, c, excess);
    for (uint32_t r = 0; r < nranks; r++)
        c->transform.factor[r] = 1;
    for (uint32_t i = 0; i < c->nranks; i++) {
        double seconds = 0;
        for (uint32_t k = 0; k < c->nvertices; k++)
            seconds += m->inclusive[(size_t)c->vertices[k] * nranks + c->ranks[i]];
        double taken = excess[i] > 0 ? excess[i] : seconds - reference;
        if (seconds > reference)
            c->transform.factor[c->ranks[i]] = fmax(0, 1 - taken / seconds);
    }
    if (c->nvertices > 1)
        level_paths(space, m, c);
}
