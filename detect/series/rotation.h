/*
 * Whether the slowest rank of a loop's points is one after the other: another one in each point, or
 * each in its turn for as many points. In most points it must be far above the usual rank, and no
 * rank may have more than half of the points.
 *
 * A pure function over a workspace. Points in their order.
 */
#ifndef SCA_DETECT_ROTATION_H
#define SCA_DETECT_ROTATION_H

#include "base/workspace.h"
#include "sca_series.h"

#include <stdbool.h>

struct sca_rotation {
    bool is_real;
    uint32_t turn; /* points that a rank is the slowest in; 0: one */
    double ratio;  /* of the slowest rank's time to the median rank's */
};

struct sca_rotation sca_rotation_of(struct sca_workspace *space,
                                    const struct sca_series_point *points, uint32_t n,
                                    uint32_t nranks);

#endif
