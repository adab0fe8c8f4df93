/*
 * Collectives between ranks with the same graph: from the root's graph to those of the members, or
 * back; without a root from each graph that takes part to the next one.
 */
#ifndef SCA_DETECT_SHAPE_COLLECTIVES_H
#define SCA_DETECT_SHAPE_COLLECTIVES_H

#include "activity/rank_shapes.h"

struct sca_shape_collective {
    uint32_t vertex;   /* the call */
    uint32_t from, to; /* shapes */
    double calls,
        bytes; /* of the members in the one that is not the root's; without a root in `to` */
};

struct sca_shape_collectives {
    size_t count;
    struct sca_shape_collective *of; /* by vertex, from, to */
};

/* Of all ranks. In `space`. */
void sca_shape_collectives_find(struct sca_workspace *space, const struct sca_task_source *source,
                                const struct sca_rank_shapes *shapes,
                                struct sca_shape_collectives *out);

#endif
