#include "nested.h"
#include "levelling.h"

#include <math.h>
#include <string.h>

#define MOST_OF       0.5 /* of the outer one's excess must be seen at the inner one */
#define SAMPLE_SIGMAS 3.0 /* as far as samples may mislead */

struct search {
    struct sca_room *room;
    const struct sca_measure *m;
    const uint32_t *ends;
};

static bool is_plain(const struct sca_candidate *c)
{
    return c->category <= SCA_CAUSE_SERIAL && !c->wanders && !c->between && !c->uneven &&
           c->factor && !c->once;
}

static bool on_the_same_ranks(const struct sca_candidate *a, const struct sca_candidate *b)
{
    return a->nranks == b->nranks && !memcmp(a->ranks, b->ranks, a->nranks * sizeof *a->ranks);
}

/* Whether each of the inner one's call paths leads through the outer one. */
static bool is_inside(const struct search *s, const struct sca_candidate *inner,
                      const struct sca_candidate *outer)
{
    for (uint32_t i = 0; i < inner->nvertices; i++) {
        bool inside = false;
        for (uint32_t k = 0; k < outer->nvertices; k++)
            inside |= inner->vertices[i] > outer->vertices[k] &&
                      inner->vertices[i] < s->ends[outer->vertices[k]];
        if (!inside)
            return false;
    }
    return true;
}

/* Of one rank, once if a path lies in another: recursion. */
static double seconds_of(const struct search *s, const struct sca_candidate *c, uint32_t rank)
{
    double seconds = 0;
    for (uint32_t k = 0; k < c->nvertices; k++) {
        bool nested = false;
        for (uint32_t i = 0; i < c->nvertices; i++)
            nested |= c->vertices[k] > c->vertices[i] && c->vertices[k] < s->ends[c->vertices[i]];
        if (!nested)
            seconds += s->m->inclusive[(size_t)c->vertices[k] * s->m->nranks + rank];
    }
    return seconds;
}

static double variance_of(const struct search *s, const struct sca_candidate *c, uint32_t rank)
{
    double variance = 0;
    for (uint32_t k = 0; k < c->nvertices; k++) {
        double noise = s->m->noise[(size_t)c->vertices[k] * s->m->nranks + rank];
        variance += noise * noise;
    }
    return variance;
}

/* Whether all of the outer one's excess may be the inner one's. `more`: that, by rank. */
static bool may_have_all(const struct search *s, const struct sca_candidate *inner,
                         const struct sca_candidate *outer, double *more)
{
    double all = 0, seen = 0, variance = 0;
    for (uint32_t i = 0; i < outer->nranks; i++) {
        uint32_t r = outer->ranks[i];
        more[i] = (1 - outer->factor[r]) * seconds_of(s, outer, r);
        all += more[i];
        seen += (1 - inner->factor[r]) * seconds_of(s, inner, r);
        variance += 2 * variance_of(s, inner, r);
    }
    return seen >= MOST_OF * all && all - seen <= SAMPLE_SIGMAS * sqrt(variance);
}

static bool join(const struct search *s, struct sca_candidate *inner,
                 const struct sca_candidate *outer)
{
    if (!is_plain(inner) || !is_plain(outer) || inner->doubted != outer->doubted ||
        !on_the_same_ranks(inner, outer) || !is_inside(s, inner, outer))
        return false;
    double *more = sca_room_alloc(s->room, outer->nranks, sizeof *more);
    if (!may_have_all(s, inner, outer, more))
        return false;
    sca_level_by(s->room, s->m, inner, more);
    return true;
}

void sca_join_nested(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                     struct sca_candidates *candidates)
{
    const struct search s = {room, m, ends};
    for (uint32_t i = candidates->count; i-- > 0;) {
        bool joined = false;
        for (uint32_t k = 0; k < candidates->count && !joined; k++)
            joined = k != i && join(&s, &candidates->items[k], &candidates->items[i]);
        if (joined)
            memmove(candidates->items + i, candidates->items + i + 1,
                    (--candidates->count - i) * sizeof *candidates->items);
    }
}
