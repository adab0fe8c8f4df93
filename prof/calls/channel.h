/*
 * Messages named alike on both sides, without piggyback.
 *
 * A channel is (communicator, source, destination, tag); MPI matches its messages in order, so
 * the n-th send is the n-th receive. Sends take their number when posted. Receives do too, unless
 * a wildcard posted earlier on the communicator could still match the same channel: then they
 * wait in post order until what stands before them is known. Sending and receiving ends count
 * apart, so messages to oneself are no special case. MPI_Cancel, or calls of two threads at the
 * same time, taint a channel: from there on its messages have no name.
 *
 * Everything here wants the state lock held. Memory is the pool's, bounded; a channel that finds
 * no room is as good as tainted.
 */
#ifndef SCA_PROF_CHANNEL_H
#define SCA_PROF_CHANNEL_H

#include "windows/call.h"
#include "base/hash.h"
#include "calls/comm_record.h"
#include "sca_part.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_pair;
struct sca_receive;

/* A call that posts. Of two threads' calls at the same time nobody knows which came first. */
struct sca_turn {
    uint64_t enter_ns, exit_ns;
    uint32_t thread;
};

struct sca_channel { /* a line of the cache */
    uint64_t place;  /* the key in the table: a hash of the four, and which side it is */
    struct sca_channel *next_of_comm; /* same communicator; so is the one */
    struct sca_channel *came_after;   /* that was asked for next, the last time: a guess */
    uint64_t count;
    struct sca_pair *pair;
    int32_t peer, tag;
    uint8_t direction;
    bool tainted;
    uint16_t owner;       /* bits of the communicator's address, whose end is the channel's */
    uint32_t last_thread; /* that took a number, */
    uint64_t last_ns;     /* in a call that was left then */
};

/* Hash of the four, the same on both sides; of two worlds but for sca_channel_own(). */
static inline uint64_t sca_channel_key(const struct sca_channel *channel)
{
    return channel->place ^ channel->direction;
}

/* By what the channels of two communicators differ that join worlds: each world has names of its
 * own for these. 0 for a peer in this world. */
static inline uint64_t sca_channel_own(const struct sca_communicator *comm, int32_t peer)
{
    return peer < 0 ? sca_hash_mix(0, comm->id) : 0;
}

/* NULL without room. `peer` as sca_comm_record_world_rank() has it. */
struct sca_channel *sca_channel_find(struct sca_communicator *comm, int32_t peer, int32_t tag,
                                     uint32_t direction);
struct sca_turn sca_channel_turn(const struct sca_call *call);
/* False: no number is to be had. */
bool sca_channel_number(struct sca_channel *channel, const struct sca_turn *turn, uint64_t *number);
/* The send with this number was cancelled: it and what followed it have no name. */
void sca_channel_taint(struct sca_channel *channel, uint64_t from);
/* The communicator is gone. */
void sca_channel_drop_all(struct sca_communicator *comm);

/* Kept if among the 8 smallest hashes between the two ranks in this direction. */
void sca_message_sent(struct sca_channel *channel, const struct sca_call *call, uint32_t comm,
                      uint64_t number, uint64_t bytes);
void sca_message_received(const struct sca_receive *receive);
struct sca_pair *sca_message_pair(const struct sca_communicator *comm, int32_t peer,
                                  uint32_t direction);
/* Takes kept messages of the channel back, from this number on. */
void sca_message_retract(const struct sca_channel *channel, uint64_t from);

#endif
