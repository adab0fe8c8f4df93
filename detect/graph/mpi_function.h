/*
 * What is known by its name of a function that a call site calls: MPI's, mostly.
 */
#ifndef SCA_DETECT_MPI_FUNCTION_H
#define SCA_DETECT_MPI_FUNCTION_H

#include <stdbool.h>

/* Asks or tells MPI something that no other rank takes part in, as MPI_Comm_rank: "local" in the
 * MPI standard, but for those that complete or test for a communication. */
bool sca_mpi_function_is_local(const char *name);

/* Not MPI's: a call in which a rank was blocked, for whatever reason (sca_part.h,
 * SCA_SAMPLE_BLOCKED). False of barriers that ranks share, which are collectives. */
bool sca_mpi_function_blocks(const char *name);

/* Not MPI's, and no call either: where a thread that calls MPI is created, begins, ends or is
 * joined. */
bool sca_mpi_function_is_of_thread(const char *name);

/* Not MPI's: by which a rank ended its process; booked as a call that takes no time. */
bool sca_mpi_function_ends(const char *name);

#endif
