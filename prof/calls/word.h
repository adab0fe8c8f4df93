/*
 * Words of a window by which ranks wait for each other without a lock of MPI's: flags, counters,
 * and locks made of MPI_Compare_and_swap (MPI 4.0, chapter 12).
 *
 * A rank looks at a word (MPI_Fetch_and_op with MPI_NO_OP, MPI_Get, MPI_Get_accumulate,
 * MPI_Compare_and_swap) and has its value when a flush returns. A look that finds the value of the
 * look before from the same place, or a swap that fails, was in vain (idle.h). Where a word was
 * looked at in vain before, and a look finds another value, the rank waits for who has set it,
 * though that rank may have been early this time: SCA_LOCK_SEEN. So it does where MPI_Fetch_and_op
 * takes long, as in a library that needs the target for it: the target calls MPI when it has set
 * the word. Whoever sets one notes SCA_LOCK_SET; both with the rank's own time, by which the
 * detector finds who it was.
 *
 * A swap that succeeds, and is undone by who made it, is an exclusive lock: it is taken and let go
 * as a window's lock is, with a tag that is not 0. Until it is undone, nobody knows: the operation
 * has no number (window.h).
 *
 * Words of up to 16 bytes; of each thread some that it looks at in turn, and one lock at a time.
 * The result is read where the program will read it, once it must be there; memory of a device,
 * which cannot be read, is left alone. Looks by MPI_Rget, and by plain loads of shared memory, are
 * not seen. Any thread, for itself; operations are those of the thread that called MPI_Init.
 */
#ifndef SCA_PROF_WORD_H
#define SCA_PROF_WORD_H

#include "mpi/symbols.h"
#include "windows/call.h"

enum sca_word_use_kind {
    SCA_WORD_FETCH, /* MPI_Fetch_and_op */
    SCA_WORD_READ,  /* other calls that fetch: of data, mostly */
    SCA_WORD_SWAP,
    SCA_WORD_UPDATE
};

struct sca_one_sided;

/* What an RMA call was given. Addresses as C has them; 0 where there is none. */
struct sca_word_use {
    enum sca_word_use_kind kind;
    sca_word window, origin, compare, result, type, operation; /* operation 0: replaces */
    int target;
    int64_t displacement, count;
    bool described; /* buffers are Fortran's descriptors: only the update is noted */
};

/* After the call, between sca_activity_exit() and sca_activity_leave(). */
void sca_word_used(struct sca_call *call, const struct sca_word_use *use);
/* A flush has returned, likewise. `target` below 0: all. */
void sca_word_flushed(struct sca_call *call, sca_word window, int target);

/* An epoch ends otherwise: what a look finds is not looked at. */
void sca_word_forget(void);

/* Before sca_activity_exit(): such a look goes on with looking in vain. */
bool sca_word_goes_on(sca_word window, int target, int64_t displacement);
/* Before sca_activity_exit(): the look that this flush completes was in vain. */
bool sca_word_in_vain(sca_word window, int target);

#endif
