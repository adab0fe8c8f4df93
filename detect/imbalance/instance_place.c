#include "imbalance/instance_place.h"
#include "base/degrees.h"
#include "imbalance/instance_length.h"

#include <math.h>
#include <stdbool.h>

double sca_instance_place_seconds(const struct sca_measure *m, const uint32_t *ends,
                                  uint32_t interval, uint32_t v)
{
    double seconds = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        seconds += sca_measure_part_in(m, ends, &v, 1, r, interval);
    return seconds;
}

static uint32_t join(const struct sca_ppg *ppg, uint32_t a, uint32_t b)
{
    return a == SCA_NONE ? b : b == SCA_NONE ? a : sca_ppg_common_ancestor(ppg, a, b);
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

/* What instances take longer for, of all that can have most of the excess; SCA_NONE: not told. */
static uint32_t place_of_length(struct sca_workspace *space, const struct sca_measure *m,
                                const uint32_t *ends, struct sca_call_pair interval, double excess,
                                double excess_by_length)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    bool *may = sca_workspace_alloc(&scratch, m->ppg->nvertices, sizeof *may);
    for (uint32_t v = 1; v < m->ppg->nvertices; v++)
        may[v] = sca_instance_place_seconds(m, ends, interval.interval, v) >= SCA_HALF * excess;
    uint32_t vertex =
        sca_instance_length_vertex(space, m, ends, interval, excess_by_length, may, SCA_MOST);
    sca_workspace_free(&scratch);
    return vertex ? vertex : SCA_NONE;
}

/*
 * Which vertex of the interval the excess can be in: the one whose samples say that long instances
 * are longer by it; else what encloses all that can have most of it.
 */
struct sca_instance_place sca_instance_place_find(struct sca_workspace *space,
                                                  const struct sca_measure *m, const uint32_t *ends,
                                                  struct sca_call_pair interval, double excess,
                                                  double excess_by_length)
{
    uint32_t n = interval.interval;
    uint32_t told = place_of_length(space, m, ends, interval, excess, excess_by_length);
    if (told != SCA_NONE)
        return (struct sca_instance_place){
            told, true, sca_instance_place_seconds(m, ends, n, told) <= (1 + SCA_QUARTER) * excess};
    uint32_t around = join(m->ppg, deepest_with(m, ends, n, SCA_MOST * excess, INFINITY),
                           deepest_with(m, ends, n, SCA_HALF * excess, (1 + SCA_QUARTER) * excess));
    return (struct sca_instance_place){around, false, false};
}
