/*
 * Who waits for whom by a window (MPI 4.0, chapter 12): locks of passive targets, and epochs that
 * ranks begin and end with MPI_Win_post, start, complete, wait. MPI_Win_fence is a collective
 * (shared.h).
 *
 * A lock is known by the window and its target: it is taken and let go (SCA_OP_LOCK). That an epoch
 * may begin is a message without bytes from each target to each origin, and that it has ended is
 * one back. A window is a communicator of its own here, with a record when it is first locked or
 * posted: of the first 256 that are.
 *
 * MPI_Win_lock and MPI_Win_start wait, as in all implementations we know; the standard allows them
 * not to, as long as the transfers do.
 *
 * The wrappers call these between sca_activity_exit() and sca_activity_leave(); any thread. They
 * take the state lock. Calls on windows that no wrapper saw made are only counted. MPI_Win_lock_all
 * shares the locks of all targets. Flushes wait for nobody here (word.h).
 */
#ifndef SCA_PROF_ONE_SIDED_H
#define SCA_PROF_ONE_SIDED_H

#include "calls/comm_record.h"
#include "mpi/symbols.h"
#include "windows/call.h"

struct sca_op;
struct sca_receive;

struct sca_epoch {
    uint32_t n;
    int32_t *with;               /* world ranks */
    struct sca_receive **awaits; /* what each of them has to say before the epoch begins or ends */
};

/* Of a window, zeroed before; with the rest of shared.h. */
struct sca_one_sided {
    struct sca_communicator ranks;
    struct sca_epoch access, exposure;
    uint64_t nlocks; /* operations on them, so far */
};

/* A window came to be on that communicator; it is gone. State lock held. */
void sca_one_sided_begin(struct sca_one_sided *of, const struct sca_communicator *comm);
void sca_one_sided_end(struct sca_one_sided *of);

/* Of a window; NULL: no wrapper saw it made. `type`: as MPI_Win_lock was called. */
void sca_one_sided_lock(struct sca_call *call, int type, int target, struct sca_one_sided *window);
void sca_one_sided_unlock(struct sca_call *call, int target, struct sca_one_sided *window);
void sca_one_sided_lock_all(struct sca_one_sided *window);
void sca_one_sided_unlock_all(struct sca_one_sided *window);
/* Of a rank of the window; -1: not known. */
int32_t sca_one_sided_world_rank(const struct sca_one_sided *window, int target);
/* One more operation of the call, whose peer is a rank of the window (word.h); its id, or
 * SCA_NO_OP. */
uint64_t sca_one_sided_note(struct sca_one_sided *window, const struct sca_op *op);
void sca_one_sided_post(struct sca_call *call, sca_word group, struct sca_one_sided *window);
void sca_one_sided_start(struct sca_call *call, sca_word group, struct sca_one_sided *window);
void sca_one_sided_complete(struct sca_call *call, struct sca_one_sided *window);
/* Before MPI_Win_wait: it waits for MPI_Win_complete of all origins (present_call.h). */
void sca_one_sided_present(struct sca_one_sided *window);
/* MPI_Win_wait, and MPI_Win_test that says so. */
void sca_one_sided_wait(struct sca_call *call, struct sca_one_sided *window);

#endif
