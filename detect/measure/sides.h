/*
 * The two sides of a comparison of ranks: those that are named, and all others that left something.
 * A reduction over ranks: what compares ranks goes through it.
 */
#ifndef SCA_DETECT_SIDES_H
#define SCA_DETECT_SIDES_H

#include "measure/measure.h"

struct sca_sides {
    double named; /* sum over the named ranks */
    double usual; /* the median of the others; 0: there are none */
    double mean;  /* of the others */
};

/* Of a number for each rank; `ranks` ascend. Jumps out of the workspace where there is no memory,
 * and keeps none of it. */
struct sca_sides sca_sides_of(struct sca_workspace *space, const struct sca_measure *m,
                              const double *row, const uint32_t *ranks, uint32_t nranks);

/* Whether each rank of the run is one of these. In the workspace. */
bool *sca_sides_named(struct sca_workspace *space, const struct sca_measure *m,
                      const uint32_t *ranks, uint32_t nranks);

/* What the named ranks have more than as many others. */
static inline double sca_sides_excess(const struct sca_sides *s, uint32_t nranks)
{
    return s->named - nranks * s->usual;
}

/* How many times as much, of one of them; INFINITY where the others have none. */
double sca_sides_ratio(const struct sca_sides *s, uint32_t nranks);

/* As it is told: 0 where the others have none of it, which is said of less than a twentieth, since
 * few samples do not divide seconds exactly. Where some of them have more, and most have none, it
 * is the ratio to their mean. */
double sca_sides_told_ratio(const struct sca_sides *s, uint32_t nranks);

#endif
