/*
 * How much ranks that do the same differ, as a relative standard deviation: what a difference must
 * exceed to be more than cores, caches and memory make of equal work.
 */
#ifndef SCA_DETECT_DISPERSION_H
#define SCA_DETECT_DISPERSION_H

#include <stdint.h>

/* Of exact seconds of `n` ranks. Told by those below the reference, the median: what is above may
 * be what is looked for. `usual` is what the run has elsewhere; few ranks say little beside it
 * (shrinkage: a prior worth PRIOR_RANKS of them). Reorders seconds. */
double sca_dispersion(double *seconds, uint32_t n, double reference, double usual);

#endif
