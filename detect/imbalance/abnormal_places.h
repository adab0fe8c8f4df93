/*
 * Places that are abnormal over all call paths to them. That a rank takes too long, exact times of
 * the intervals around a place prove; where in them, samples say. So a place is abnormal if its
 * samples prove it, or if exact times prove that ranks take too long where its code runs and it has
 * most of that. Owned by the workspace.
 */
#ifndef SCA_DETECT_ABNORMAL_PLACES_H
#define SCA_DETECT_ABNORMAL_PLACES_H

#include "imbalance/abnormal.h"

/* `abnormals`: what sca_abnormal_find() made of the vertices. Per vertex what its place is judged
 * to be over all call paths: the same for all of them; NULL: not abnormal. */
const struct sca_abnormal **sca_abnormal_places(struct sca_workspace *space,
                                                const struct sca_measure *m, const uint32_t *ends,
                                                const struct sca_abnormals *abnormals);

/* The same of some call paths to a place. False: not abnormal. */
bool sca_abnormal_places_judge(struct sca_workspace *space, const struct sca_measure *m,
                               const uint32_t *ends, const uint32_t *vertices, uint32_t n,
                               const struct sca_abnormal_limits *limits, struct sca_abnormal *out);

/* Seconds that the ranks of `a` have more of at a vertex than the others' median there. */
double sca_abnormal_places_excess(struct sca_workspace *space, const struct sca_measure *m,
                                  const struct sca_abnormal *a, uint32_t vertex);

#endif
