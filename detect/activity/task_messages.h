/*
 * Message edges: from the call that sent to the call that received, between two ranks. Numbers are
 * each side's exact totals where only one call of the other side can have been it. Else the pairs
 * of calls seen in recorded messages are given the only numbers with which the totals of both sides
 * come out; where there is more than one way, the number is not known.
 */
#ifndef SCA_DETECT_TASK_MESSAGES_H
#define SCA_DETECT_TASK_MESSAGES_H

#include "activity/task_graph.h"

enum sca_task_known {
    SCA_TASK_EXACT,     /* one of the two sides has no other call */
    SCA_TASK_BY_TOTALS, /* of the pairs of calls that were seen, this follows */
    SCA_TASK_SEEN       /* such messages were recorded; how many there are is not known */
};

struct sca_task_message {
    uint32_t from, to;      /* ranks */
    uint32_t send, receive; /* vertices; SCA_NONE: which is not known */
    double messages, bytes; /* NAN: not known */
    enum sca_task_known known;
    uint32_t seen; /* messages recorded on both sides */
    /* Of those with times: from the send's entry to the receive's exit, on the run's time line. */
    uint32_t timed;
    double mean_s, shortest, longest; /* NAN */
    struct sca_task_sample times;     /* of those with times, */
    struct sca_task_sample sizes;     /* and of all recorded: bytes for nanoseconds */
};

struct sca_task_messages {
    uint32_t count;
    struct sca_task_message *of;
};

/* From `sender` to `receiver`. In `space`. */
void sca_task_messages_between(struct sca_workspace *space, const struct sca_task_source *source,
                               uint32_t sender, uint32_t receiver, struct sca_task_messages *out);

/* The ranks that send to the rank or receive from it, rising, itself too. In `space`. */
uint32_t sca_task_messages_peers(struct sca_workspace *space, const struct sca_task_source *source,
                                 uint32_t rank, enum sca_direction direction, uint32_t **out);

#endif
