/* Locks of windows that are taken and let go in a trace. */
#ifndef SCA_DETECT_LOCKINGS_H
#define SCA_DETECT_LOCKINGS_H

#include "trace/replay_trace.h"

struct sca_locking {
    uint32_t event; /* by place */
    uint32_t lock;
    enum sca_lock_shape shape;
};

struct sca_lockings { /* by event */
    uint32_t n, nlocks;
    struct sca_locking *of;
};

/* In the workspace; NULL: the trace has none. */
struct sca_lockings *sca_lockings_find(struct sca_workspace *space, const struct sca_trace *trace);

#endif
