/* What ranks with the same graph took in each computation between calls. */
#ifndef SCA_DETECT_RANK_TIMES_H
#define SCA_DETECT_RANK_TIMES_H

#include "activity/rank_shapes.h"

struct sca_rank_times {
    uint32_t n, nways; /* ranks; computations of their graph */
    uint32_t *ranks;   /* rising */
    float *seconds;    /* [i * nways + way]: own time of the i-th rank */
};

/* Of the ranks of a shape. In `space`. */
void sca_rank_times_load(struct sca_workspace *space, const struct sca_task_source *source,
                         const struct sca_rank_shapes *shapes, uint32_t shape,
                         struct sca_rank_times *out);

#endif
