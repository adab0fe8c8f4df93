/*
 * Which points of a series have the same calls. A point's kind is a sum of a hash per call. Three
 * kinds at equal distances differ in how often some calls come round: a solver that takes more
 * rounds from iteration to iteration makes the same calls, though each kind is another one. Kinds
 * of which most hardly recur are numbers of calls, too, as of a program that polls: they tell
 * nothing.
 *
 * A pure function over a workspace.
 */
#ifndef SCA_DETECT_KINDS_H
#define SCA_DETECT_KINDS_H

#include "base/workspace.h"
#include "sca_series.h"

/* [n], of each point: equal for those with the same calls. Points of different size have others. */
const uint32_t *sca_series_kinds(struct sca_workspace *space, const struct sca_series_point *points,
                                 uint32_t n);

#endif
