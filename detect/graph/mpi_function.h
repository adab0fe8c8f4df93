/*
 * What is known of an MPI function by its name.
 */
#ifndef SCA_DETECT_MPI_FUNCTION_H
#define SCA_DETECT_MPI_FUNCTION_H

#include <stdbool.h>

/* Asks or tells MPI something that no other rank takes part in, as MPI_Comm_rank: "local" in the
 * MPI standard, but for those that complete or test for a communication. */
bool sca_mpi_function_is_local(const char *name);

#endif
