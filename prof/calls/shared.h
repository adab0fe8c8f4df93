/*
 * Windows and files: the communicator each was made on. Calls that all who share one take part in
 * (MPI_Win_fence, MPI_File_write_all) are collectives of that communicator, though they do not name
 * it. Recorded are those that nobody leaves before all have come, with every implementation we
 * know: see mpi.table. A communicator stays while something was made on it, even after
 * MPI_Comm_free.
 *
 * The wrappers call these between sca_activity_exit() and sca_activity_leave(), if nothing else is
 * said; any thread. They take the state lock.
 */
#ifndef SCA_PROF_SHARED_H
#define SCA_PROF_SHARED_H

#include "windows/call.h"
#include "mpi/symbols.h"

struct sca_communicator;
struct sca_one_sided;

/* A window or file came to be. 0: none did. */
void sca_shared_new(struct sca_call *call, sca_word handle, sca_word comm);
/* What is known of a window's locks and epochs; NULL: no wrapper saw it made. */
struct sca_one_sided *sca_shared_window(sca_word handle);
/* Before such a call: all who share it are waited for (present_call.h). */
void sca_shared_present(sca_word handle);
/* A call of all who share it. One that was made where no wrapper saw it is left out. */
void sca_shared_meet(struct sca_call *call, sca_word handle);
/* Before it is given back, as the handle is gone afterwards: what sca_shared_end() is called
 * with when that is done. NULL: not known. */
struct sca_communicator *sca_shared_take(sca_word handle);
void sca_shared_end(struct sca_call *call, struct sca_communicator *comm, bool ok);

#endif
