/*
 * How ranks differ in what exact times compare: some stand out (abnormal.h), or they are of two
 * kinds, or the work is shared out unevenly (skew.h). Where most ranks are of the kind with more,
 * who stands out is one of these. Owned by the workspace.
 */
#ifndef SCA_DETECT_RANK_CONTRAST_H
#define SCA_DETECT_RANK_CONTRAST_H

#include "imbalance/abnormal.h"

/* Between the calls of two vertices; `of` is comparable. out->vertex is SCA_NONE. */
bool sca_rank_contrast_between(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_interval_bounds *bounds,
                               const struct sca_interval_bounds_times *of,
                               const struct sca_abnormal_limits *limits, struct sca_abnormal *out);

/* Where ranks run the code of a place, between whichever calls. */
bool sca_rank_contrast_around(struct sca_workspace *space, const struct sca_measure *m,
                              const struct sca_within *place,
                              const struct sca_abnormal_limits *limits, struct sca_abnormal *out);

#endif
