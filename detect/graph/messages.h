/*
 * Message edges of the graph between two ranks: from where to where, from the messages that both
 * sides kept and from the totals with each other. They are asked for where a chain of waits goes
 * from one rank to another; all pairs of a run would be many and mostly of no use.
 */
#ifndef SCA_DETECT_MESSAGES_H
#define SCA_DETECT_MESSAGES_H

#include "sca_arena.h"
#include "graph/ppg.h"

struct sca_ppg_message { /* traffic that a site's completed receives depend on, aggregated */
    uint32_t receive_vertex, receive_rank;
    uint32_t send_vertex, send_rank;
    uint64_t count; /* messages; bytes in total */
    uint64_t bytes;
    double late_s; /* of the kept messages: mean time the receiver had entered before the sender,
                      node clock; negative when the message was early. 0 kept messages: NAN */
};

struct sca_messages {
    uint32_t count;
    struct sca_ppg_message *edges; /* by receive_vertex */
};

/* All edges from one rank to another; memory comes from the arena. SCA_ENOMEM. */
int sca_messages_between(struct sca_arena *arena, const struct sca_ppg_run *run, uint32_t sender,
                         uint32_t receiver, struct sca_messages *out);

#endif
