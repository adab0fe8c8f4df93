/*
 * Messages of a trace, joined: a receive waits for its send, a blocked send for the posting of its
 * receive. They find each other by the number on their channel.
 */
#ifndef SCA_DETECT_MESSAGE_PAIRS_H
#define SCA_DETECT_MESSAGE_PAIRS_H

#include "trace/replay_trace.h"
#include "base/workspace.h"

struct sca_message_pair { /* an event that waits for another, both by place */
    uint32_t waiter, on;
    uint8_t kind; /* SCA_OP_RECV or SCA_OP_SEND_DONE */
};

struct sca_message_pairs {
    uint32_t count;
    struct sca_message_pair *items; /* in the workspace */
};

/* The trace must have less than 2^32 operations. */
void sca_message_pairs_find(struct sca_workspace *space, const struct sca_trace *trace,
                            struct sca_message_pairs *out);

#endif
