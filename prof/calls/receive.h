/*
 * Receives, from their post to their completion: each takes its number on a channel once it is
 * known which that is (channel.h). State lock held.
 */
#ifndef SCA_PROF_RECEIVE_H
#define SCA_PROF_RECEIVE_H

#include "calls/channel.h"
#include "windows/call.h"
#include <stdbool.h>
#include <stdint.h>

#define SCA_ANY INT32_MIN /* peer or tag of a wildcard receive */

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

#endif
