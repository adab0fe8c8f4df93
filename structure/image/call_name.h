/* What a linkage name says of a function whose code is not at hand. */
#ifndef STRUCTURE_CALL_NAME_H
#define STRUCTURE_CALL_NAME_H

#include <stdbool.h>

/* MPI_Send, PMPI_Send, mpi_send_, mpi_send_f08_; not MPI's clock, whose reading is computation. */
bool sca_call_name_is_mpi(const char *name);
/* Part of the run-time systems of the languages, or of the C library: computation of the caller. */
bool sca_call_name_is_runtime(const char *name);
/* exit, abort, what throws or fails an assertion: nothing comes back from it. */
bool sca_call_name_never_returns(const char *name);
/* Starts its first argument, a function, on threads: GOMP_parallel, __kmpc_fork_call. *argument:
 * which argument is the function. */
bool sca_call_name_starts_threads(const char *name, unsigned *argument);

#endif
