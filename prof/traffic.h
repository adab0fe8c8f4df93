/*
 * Whom a call had to do with: bytes and peers of point-to-point calls, bytes and root of
 * collectives. The wrappers call these between sca_call_exit() and sca_call_leave(), with the
 * arguments as C has them. They ask MPI first and take the state lock then, briefly; any thread.
 */
#ifndef SCA_PROF_TRAFFIC_H
#define SCA_PROF_TRAFFIC_H

#include "activity.h"
#include "comm.h"
#include "sca_profile.h"
#include "symbols.h"
#include <stdint.h>

enum { SCA_NEAR = SCA_PREFIX + 1 }; /* topology neighbours: a shape of ours, never written */
enum { SCA_PER_CALL, SCA_PER_MEMBER, SCA_PER_NEIGHBOUR };
enum { SCA_NOW, SCA_AT_START };
#define SCA_NO_ROOT INT32_MIN

struct sca_request;

uint64_t sca_bytes(int64_t count, sca_word type);
/* Sum over a vector of counts (wide: MPI_Count) for the members or neighbours of comm; `types` is
 * one type, or an array of them (each). */
uint64_t sca_volume(sca_word comm, sca_word counts, int wide, sca_word types, int each, int fortran,
                    int neighbours);

void sca_on_send(struct sca_call *call, int64_t count, sca_word type, int peer, int tag,
                 sca_word comm);
void sca_on_isend(struct sca_call *call, int64_t count, sca_word type, int peer, int tag,
                  sca_word comm, sca_word request);
void sca_on_recv(struct sca_call *call, int peer, int tag, sca_word comm, sca_word status);
void sca_on_irecv(struct sca_call *call, int peer, int tag, sca_word comm, sca_word request);
void sca_on_send_init(unsigned function, int64_t count, sca_word type, int peer, int tag,
                      sca_word comm, sca_word request);
void sca_on_recv_init(int peer, int tag, sca_word comm, sca_word request);
void sca_on_start(struct sca_call *call, sca_word request);
void sca_on_startall(struct sca_call *call, int64_t count, sca_word requests, int fortran);
void sca_on_mprobe(struct sca_call *call, sca_word comm, sca_word message, sca_word status);
void sca_on_mrecv(struct sca_call *call, sca_word message, sca_word status);
void sca_on_imrecv(struct sca_call *call, sca_word message, sca_word request);

/* `root` is a rank of comm, or SCA_NO_ROOT; `request` 0 for blocking calls. */
void sca_on_collective(struct sca_call *call, int shape, int root, sca_word comm, uint64_t bytes,
                       int per, int when, sca_word request);

/* A send or collective is complete. */
void sca_traffic_done(const struct sca_request *request);
/* State lock held. */
void sca_traffic_received(struct sca_call *call, struct sca_communicator *comm, int32_t peer,
                          uint64_t bytes);

#endif
