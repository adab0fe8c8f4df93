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
#include "calls/comm_record.h"
#include "sca_part.h"
#include <stdbool.h>
#include <stdint.h>

#define SCA_ANY INT32_MIN /* peer or tag of a wildcard receive */

struct sca_pair;

/* A call that posts. Of two threads' calls at the same time nobody knows which came first. */
struct sca_turn {
    uint64_t enter_ns, exit_ns;
    uint32_t thread;
};

struct sca_channel {
    struct sca_channel *next;         /* same bucket */
    struct sca_channel *next_of_comm; /* same communicator */
    uint64_t key;                     /* hash of the four, the same on both sides */
    uint64_t count;
    struct sca_pair *pair;
    int32_t peer, tag;
    uint8_t direction;
    bool tainted;
    uint32_t last_thread; /* that took a number, */
    uint64_t last_ns;     /* in a call that was left then */
};

/* One posted receive. Freed by this module once it is complete and numbered, or dropped. */
struct sca_receive {
    struct sca_receive *next; /* in the communicator's queue */
    struct sca_communicator *comm;
    struct sca_channel *channel; /* set with the number; NULL: none to be had */
    int32_t peer, tag;           /* SCA_ANY until known */
    bool numbered, queued, complete;
    uint32_t post_site, site;
    struct sca_turn post;
    uint64_t number, bytes, enter_ns, exit_ns;
    uint64_t post_op, done_op; /* of the window */
};

/* NULL without room. `peer` in world ranks. */
struct sca_channel *sca_channel_find(struct sca_communicator *comm, int32_t peer, int32_t tag,
                                     uint32_t direction);
struct sca_turn sca_channel_turn(const struct sca_call *call);
/* False: no number is to be had. */
bool sca_channel_number(struct sca_channel *channel, const struct sca_turn *turn, uint64_t *number);
/* The send with this number was cancelled: it and what followed it have no name. */
void sca_channel_taint(struct sca_channel *channel, uint64_t from);
/* The communicator is gone. */
void sca_channel_drop_all(struct sca_communicator *comm);

/* Posted by this call. Peer and tag may be SCA_ANY. NULL without memory. */
struct sca_receive *sca_receive_post(struct sca_communicator *comm, int32_t peer, int32_t tag,
                                     const struct sca_call *call);
/* What it matched has become known, though it is not complete (matched probe). */
void sca_receive_known(struct sca_receive *receive, int32_t peer, int32_t tag);
/* Complete, at this call. The receive is no longer the caller's. */
void sca_receive_complete(struct sca_receive *receive, const struct sca_call *call, int32_t peer,
                          int32_t tag, uint64_t bytes);
/* MPI_Cancel was called on it: its channel, if it has one by now, is tainted. */
void sca_receive_cancel(struct sca_receive *receive);
/* Nobody will know what it matches: whatever that is, and if it is a wildcard, whatever is
 * received on the communicator from now on has no name. */
void sca_receive_lose(struct sca_receive *receive);
/* It matched nothing, or is lost. No longer the caller's. */
void sca_receive_drop(struct sca_receive *receive);

/* Kept if among the 8 smallest hashes between the two ranks in this direction. */
void sca_message_sent(struct sca_channel *channel, const struct sca_call *call, uint32_t comm,
                      uint64_t number, uint64_t bytes);
void sca_message_received(const struct sca_receive *receive);
struct sca_pair *sca_message_pair(int32_t peer, uint32_t direction);
/* Takes kept messages of the channel back, from this number on. */
void sca_message_retract(const struct sca_channel *channel, uint64_t from);

#endif
