#include "imbalance/rotating_known.h"
#include "base/degrees.h"
#include "measure/interval_bounds.h"

/* Whether one vertex lies in the other. */
static bool is_related(const struct sca_rotating_search *s, uint32_t a, uint32_t b)
{
    return (a >= b && a < s->ends[b]) || (b >= a && b < s->ends[a]);
}

static bool is_around(const struct sca_rotating_search *s, const struct sca_finding *known,
                      const struct sca_finding *c)
{
    for (uint32_t k = 0; k < known->nvertices; k++)
        if (is_related(s, known->vertices[k], c->vertex))
            return true;
    return false;
}

static double excess_of_ranks(const struct sca_rotating_search *s, const struct sca_finding *known)
{
    double theirs = 0;
    for (uint32_t i = 0; i < known->nranks; i++)
        theirs += s->of.excess[known->ranks[i]];
    return theirs;
}

/* What always falls on the same ranks does not rotate: a cause that these ranks have there is it.
 */
bool sca_rotating_known_explains(const struct sca_rotating_search *s,
                                 const struct sca_finding *known, const struct sca_finding *c)
{
    return !sca_finding_rotates(known) && excess_of_ranks(s, known) >= SCA_MOST * c->excess &&
           is_around(s, known, c);
}

/* Whether the place is the other's, or the interval, and the other has as much; what is even but
 * for a trifle may rotate. */
static bool is_at(const struct sca_rotating_search *s, const struct sca_finding *known,
                  const struct sca_finding *c)
{
    if (!sca_finding_rotates(known) && known->excess < SCA_MOST * c->excess)
        return false;
    struct sca_interval_bounds bounds = sca_finding_bounds(known);
    if (sca_finding_is_interval(known))
        return sca_interval_bounds_has(s->m->run, &bounds, c->transform.rotating->previous,
                                       c->transform.rotating->site);
    for (uint32_t k = 0; k < known->nvertices; k++)
        if (known->vertices[k] == c->vertex)
            return true;
    return false;
}

/* The finding that has it already; NULL if there is none. */
const struct sca_finding *sca_rotating_known_by(const struct sca_rotating_search *s,
                                                const struct sca_finding_list *known,
                                                const struct sca_finding *c)
{
    for (uint32_t i = 0; i < known->count; i++)
        if (sca_rotating_known_explains(s, known->items[i], c) || is_at(s, known->items[i], c))
            return known->items[i];
    return NULL;
}

uint32_t sca_rotating_known_place(const struct sca_rotating_search *s, uint32_t vertex)
{
    for (uint32_t i = 0; i < s->seen->count; i++)
        for (uint32_t k = 0; k < s->seen->items[i]->nvertices; k++) {
            uint32_t v = s->seen->items[i]->vertices[k];
            if (is_related(s, v, vertex))
                return v > vertex ? v : vertex; /* the inner one: vertices stand in preorder */
        }
    return SCA_NONE;
}
