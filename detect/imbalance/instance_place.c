#include "imbalance/instance_place.h"

#include <math.h>
#include <stdbool.h>

#define CARRIES   0.8 /* a vertex that can hold the excess has at least so much of it */
#define NEAR      1.25
#define ENOUGH    16  /* samples: fewer are off by more than that */
#define MAY_CARRY 0.5 /* one that has less, but more than that, cannot be ruled out */

double sca_instance_place_seconds(const struct sca_measure *m, const uint32_t *ends,
                                  uint32_t interval, uint32_t v)
{
    double seconds = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        seconds += sca_measure_part_in(m, ends, &v, 1, r, interval);
    return seconds;
}

static uint32_t common_ancestor(const struct sca_ppg *ppg, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a > b)
            a = ppg->vertices[a].parent;
        else
            b = ppg->vertices[b].parent;
    }
    return a;
}

static uint32_t join(const struct sca_ppg *ppg, uint32_t a, uint32_t b)
{
    return a == SCA_NONE ? b : b == SCA_NONE ? a : common_ancestor(ppg, a, b);
}

/* The deepest vertices of the interval with between so many seconds; of several, what encloses
 * them. */
static uint32_t deepest_with(const struct sca_measure *m, const uint32_t *ends, uint32_t interval,
                             double least, double most)
{
    uint32_t found = SCA_NONE;
    for (uint32_t v = m->ppg->nvertices; v-- > 1;) {
        double seconds = sca_instance_place_seconds(m, ends, interval, v);
        bool deepest = seconds >= least && seconds <= most;
        for (uint32_t c = v + 1; c < ends[v] && deepest; c = ends[c])
            deepest = sca_instance_place_seconds(m, ends, interval, c) < least;
        if (deepest)
            found = join(m->ppg, found, v);
    }
    return found;
}

static bool is_sampled(const struct sca_measure *m, const uint32_t *ends, uint32_t vertex)
{
    double samples = 0;
    for (uint32_t v = vertex; v < ends[vertex]; v++)
        samples += m->run->samples[v];
    return samples >= ENOUGH;
}

/*
 * Which vertex of the interval the excess can be in: a deepest one with that many seconds. Of
 * several, the one that has hardly more (then it runs only when it delays; of few samples that is
 * chance); else what encloses all that can have most of it.
 */
uint32_t sca_instance_place_vertex(const struct sca_measure *m, const uint32_t *ends,
                                   uint32_t interval, double excess, bool *alone)
{
    const struct sca_ppg *ppg = m->ppg;
    uint32_t near = deepest_with(m, ends, interval, CARRIES * excess, NEAR * excess);
    *alone = near != SCA_NONE && is_sampled(m, ends, near);
    if (*alone)
        return near;
    return join(ppg, deepest_with(m, ends, interval, CARRIES * excess, INFINITY),
                deepest_with(m, ends, interval, MAY_CARRY * excess, NEAR * excess));
}
