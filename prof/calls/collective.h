/*
 * Collectives: bytes, root, number on the communicator, and who waits for whom. A non-blocking one
 * has come when it begins and waits when it completes. The wrappers call these between
 * sca_activity_exit() and sca_activity_leave(); any thread.
 */
#ifndef SCA_PROF_COLLECTIVE_H
#define SCA_PROF_COLLECTIVE_H

#include "windows/call.h"
#include "calls/comm_record.h"
#include "sca_profile.h"
#include "mpi/symbols.h"
#include <stdint.h>

enum { SCA_NEAR = SCA_PREFIX + 1 }; /* topology neighbours: a shape of ours, never written */
enum { SCA_PER_CALL, SCA_PER_MEMBER, SCA_PER_NEIGHBOUR };
enum { SCA_NOW, SCA_AT_START };
#define SCA_NO_ROOT INT32_MIN

struct sca_request;

/* `root` is a rank of comm, or SCA_NO_ROOT; `request` 0 for blocking calls. */
void sca_collective_record(struct sca_call *call, int shape, int root, sca_word comm,
                           uint64_t bytes, int per, int when, sca_word request);
/* All of a communicator meet in a call that does not name it. */
void sca_collective_meet(struct sca_call *call, struct sca_communicator *comm);
/* Counted, and nothing else. State lock held. */
void sca_collective_book(struct sca_call *call, struct sca_communicator *comm, int32_t root);
/* Sum over a vector of counts (wide: MPI_Count) for the members or neighbours of comm; `types` is
 * one type, or an array of them (each). */
uint64_t sca_collective_volume(sca_word comm, sca_word counts, int wide, sca_word types, int each,
                               int fortran, int neighbours);

/* A persistent one starts; one that was followed is complete. State lock held. */
void sca_collective_start(struct sca_call *call, struct sca_request *request);
void sca_collective_done(const struct sca_request *request);

#endif
