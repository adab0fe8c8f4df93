/*
 * Whom a point-to-point call had to do with: bytes and peers. The wrappers call these between
 * sca_activity_exit() and sca_activity_leave(), with the arguments as C has them. They ask MPI
 * first and take the state lock then, briefly; any thread.
 */
#ifndef SCA_PROF_TRAFFIC_H
#define SCA_PROF_TRAFFIC_H

#include "windows/call.h"
#include "calls/comm.h"
#include "sca_profile.h"
#include "mpi/symbols.h"
#include <stdint.h>

struct sca_channel;
struct sca_request;

/* One-sided: the first count and type, or the second where that is nothing (an operation that only
 * fetches); nothing to or from MPI_PROC_NULL. */
void sca_moved_rma(struct sca_call *call, int target, int64_t count, sca_word type,
                   int64_t fetched_count, sca_word fetched_type);
/* Files: what the status says, since a file may end sooner than asked for. */
void sca_moved_io(struct sca_call *call, sca_word status);
void sca_traffic_send(struct sca_call *call, int64_t count, sca_word type, int peer, int tag,
                      sca_word comm);
void sca_traffic_isend(struct sca_call *call, int64_t count, sca_word type, int peer, int tag,
                       sca_word comm, sca_word request);
void sca_traffic_recv(struct sca_call *call, int peer, int tag, sca_word comm, sca_word status);
/* MPI_Probe and MPI_Iprobe. */
void sca_traffic_probed(struct sca_call *call, sca_word comm);
void sca_traffic_irecv(struct sca_call *call, int peer, int tag, sca_word comm, sca_word request);
/* The receiving half. MPICH leaves in its status whatever was there before. */
void sca_traffic_isendrecv(struct sca_call *call, int peer, int tag, sca_word comm,
                           sca_word request);
/* The call returned an error: a message that was too long, say, is gone none the less. */
void sca_traffic_failed_send(int peer, int tag, sca_word comm);
void sca_traffic_failed_recv(int peer, int tag, sca_word comm);
void sca_persistent_send_init(unsigned function, int64_t count, sca_word type, int peer, int tag,
                              sca_word comm, sca_word request);
void sca_persistent_recv_init(int peer, int tag, sca_word comm, sca_word request);
void sca_persistent_start(struct sca_call *call, sca_word request);
void sca_persistent_start_all(struct sca_call *call, int64_t count, sca_word requests, int fortran);
void sca_matched_probe(struct sca_call *call, sca_word comm, sca_word message, sca_word status);
/* The receive of a matched message is taken before the call, and comes back by one of the others.
 * NULL: not followed. */
struct sca_request *sca_matched_take(sca_word message);
void sca_matched_lost(struct sca_request *taken);
void sca_matched_recv(struct sca_call *call, struct sca_request *taken, sca_word status);
void sca_matched_irecv(struct sca_request *taken, sca_word request);

/* The peer of a receive as posted: a rank of the world, or SCA_ANY; its tag, or SCA_ANY. */
int32_t sca_traffic_source(const struct sca_communicator *comm, int peer);
int32_t sca_traffic_tag(int tag);
/* Whether a send is done no sooner than its receive is posted. */
bool sca_traffic_waits(unsigned function, uint64_t bytes);
/* State lock held. A message is sent: the channel it took a number on, or NULL. */
struct sca_channel *sca_traffic_post(struct sca_call *call, struct sca_communicator *comm,
                                     int32_t peer, int tag, uint64_t bytes, uint64_t *number);
/* State lock held. A send is complete. */
void sca_traffic_done(const struct sca_request *request);
/* State lock held. The last part of a partitioned send is ready: its request has the number. */
void sca_traffic_sent(struct sca_call *call, struct sca_request *request);
void sca_traffic_received(struct sca_call *call, struct sca_communicator *comm, int32_t peer,
                          uint64_t bytes);

#endif
