/*
 * Messages from one rank to another that both sides kept: the same message is found on both by its
 * channel and number.
 */
#ifndef SCA_DETECT_MESSAGE_JOIN_H
#define SCA_DETECT_MESSAGE_JOIN_H

#include "graph/ppg.h"

struct sca_joined { /* messages between the same two vertices */
    uint32_t receive_vertex, receive_rank, send_vertex, send_rank;
    uint64_t count, bytes;
    double late; /* sum over them: seconds that the receiver had entered before the sender */
};

/* By receive_vertex, receive_rank, send_rank, send_vertex; a list to be freed, NULL if there are
 * none. SCA_ENOMEM. */
int sca_message_join(const struct sca_ppg_run *run, struct sca_opened *opened, uint32_t sender,
                     uint32_t receiver, struct sca_joined **list, size_t *count);

#endif
