/*
 * Calls in tail position. `void sync(void) { ...; MPI_Barrier(comm); }` ends in a jump: sync() has
 * left the stack when MPI is entered, and the call path ends where sync() was called. Its graph
 * still says which call it must have been. The same holds for a function that ends by calling
 * another one of the program.
 */
#ifndef SCA_DETECT_TAIL_CALL_H
#define SCA_DETECT_TAIL_CALL_H

#include "symbols/place.h"
#include "sca_psg.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the graph has the vertex. Its strings are the program's. */
struct sca_frame sca_tail_call_frame(const struct sca_program *program, uint32_t function,
                                     uint32_t vertex);
/* `at`: where a path ends. True if that is a direct call of a function with a graph, and just one
 * call of this MPI function in it could be its last act: then `out` is the frame that is missing
 * below `at`. Its strings are the program's. */
bool sca_tail_call_mpi(const struct sca_program *program, const struct sca_frame *at,
                       const char *mpi, struct sca_frame *out);
/* The same where a path goes on in `below`: if `at` calls another function, which calls that one at
 * one place. */
bool sca_tail_call(const struct sca_program *program, const struct sca_frame *at,
                   const struct sca_frame *below, struct sca_frame *out);

#endif
