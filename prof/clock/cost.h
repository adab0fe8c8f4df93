/*
 * What the library takes from the program outside the recorded span: while MPI_Init and
 * MPI_Finalize run. (Inside the span samples and calls are measured: tool_ns of the part's
 * header.) CPU time of the thread that is in there; waits for other ranks spin, and so count.
 *
 * By the one thread that is in MPI_Init or MPI_Finalize. Never in a handler.
 */
#ifndef SCA_PROF_COST_H
#define SCA_PROF_COST_H

#include <stdint.h>

void sca_cost_begin(void);
void sca_cost_end(void);
/* In nanoseconds, with what is under way. */
uint64_t sca_cost_so_far(void);

#endif
