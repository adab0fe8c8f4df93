/* Locks of windows, and words used as such, that are taken and let go in a trace. */
#ifndef SCA_DETECT_LOCKINGS_H
#define SCA_DETECT_LOCKINGS_H

#include "trace/replay_trace.h"

struct sca_locking {
    uint32_t event; /* by place */
    uint32_t lock;  /* of SHARED_ALL and RELEASE_ALL the window's number */
    enum sca_lock_shape shape;
};

static inline bool sca_locking_takes(const struct sca_locking *use)
{
    return use->shape != SCA_LOCK_RELEASE && use->shape != SCA_LOCK_RELEASE_ALL;
}

struct sca_lockings { /* by event */
    uint32_t n, nlocks;
    struct sca_locking *of;
    uint32_t *window; /* per lock: its window's number; SCA_NONE: a word */
};

/* In the workspace; NULL: the trace has none. */
struct sca_lockings *sca_lockings_find(struct sca_workspace *space, const struct sca_trace *trace);

#endif
