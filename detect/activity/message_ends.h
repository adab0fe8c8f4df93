/*
 * What two ranks recorded of the messages from one to the other: totals by call, and single
 * messages, in windows and kept, joined by channel and number.
 */
#ifndef SCA_DETECT_MESSAGE_ENDS_H
#define SCA_DETECT_MESSAGE_ENDS_H

#include "activity/task_graph.h"

struct sca_message_side { /* a call of one side, on one communicator */
    uint32_t comm, vertex;
    double messages, bytes;
};

struct sca_message_link {   /* a pair of calls that messages were seen between */
    uint32_t send, receive; /* numbers of the sides */
    uint32_t seen, timed;
    double seconds, shortest, longest; /* of those timed: sum, least, most */
    struct sca_task_sample times;      /* of those timed, */
    struct sca_task_sample sizes;      /* and of all seen: bytes for nanoseconds */
};

struct sca_message_ends {
    uint32_t nsides[2]; /* by enum sca_direction */
    struct sca_message_side *sides[2];
    uint32_t nlinks;
    struct sca_message_link *links;
};

/* In `space`. */
void sca_message_ends_find(struct sca_workspace *space, const struct sca_task_source *source,
                           uint32_t sender, uint32_t receiver, struct sca_message_ends *out);

#endif
