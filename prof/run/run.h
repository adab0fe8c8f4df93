/*
 * The life of a recorded run, called by the wrappers of Init and Finalize (wrap_special.c).
 * sca_run_begin: after the real MPI_Init returned successfully, on every rank; recording is on
 * when it returns, or stays off. sca_run_end: before the real MPI_Finalize. Neither ever fails
 * towards the application: what goes wrong is said in the one line printed at the end. A process
 * that ends any other way leaves its part as it is (run.c's destructor marks it, when it runs).
 * Settings come from the environment (settings.h).
 */
#ifndef SCA_PROF_RUN_H
#define SCA_PROF_RUN_H

#include <stdint.h>

void sca_run_begin(uint32_t world_rank, uint32_t world_size);
/* The recorded time begins now: what the library prepares before the program goes on is not of it.
 */
void sca_run_clock_begins(void);
void sca_run_end(void);
/* The real MPI_Abort is about to be called with this code. */
void sca_run_abort(int code);

#endif
