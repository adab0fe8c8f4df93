/*
 * Partitioned messages (MPI 4.0, chapter 4): a send whose parts are handed over one by one by
 * MPI_Pready, received as one. They match in the order of MPI_Psend_init and MPI_Precv_init, and
 * never ordinary messages: each such pair is a channel of its own, whose tag has SCA_PARTITIONED
 * set. The message is sent by the call that readies its last part; bytes are booked part by part.
 *
 * The wrappers call these between sca_activity_exit() and sca_activity_leave(); any thread.
 */
#ifndef SCA_PROF_PARTITIONED_H
#define SCA_PROF_PARTITIONED_H

#include "windows/call.h"
#include "mpi/symbols.h"
#include <stdint.h>

enum { SCA_PARTITIONED = 1 << 30 };

struct sca_request;

/* `count` elements in each of `partitions` parts. */
void sca_partitioned_send_init(const struct sca_call *call, int64_t partitions, int64_t count,
                               sca_word type, int peer, int tag, sca_word comm, sca_word request);
void sca_partitioned_recv_init(const struct sca_call *call, int peer, int tag, sca_word comm,
                               sca_word request);
/* So many more parts are ready. */
void sca_partitioned_ready(struct sca_call *call, int64_t partitions, sca_word request);
/* A send starts anew: none of its parts is ready. State lock held. */
void sca_partitioned_start(const struct sca_call *call, struct sca_request *request);

#endif
