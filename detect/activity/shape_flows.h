/* Messages between ranks, added up by the graphs of both ranks and the calls at both ends. */
#ifndef SCA_DETECT_SHAPE_FLOWS_H
#define SCA_DETECT_SHAPE_FLOWS_H

#include "activity/rank_shapes.h"
#include "activity/task_messages.h"

struct sca_shape_flow {
    uint32_t from, to;           /* shapes */
    uint32_t pairs;              /* of ranks */
    struct sca_task_message sum; /* what is known of all is known; its ranks are the last pair's */
};

struct sca_shape_flows {
    size_t count;
    struct sca_shape_flow *of; /* by from, to, send, receive */
};

/* Of all ranks. In `space`. */
void sca_shape_flows_find(struct sca_workspace *space, const struct sca_task_source *source,
                          const struct sca_rank_shapes *shapes, struct sca_shape_flows *out);

#endif
