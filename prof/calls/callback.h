/*
 * The program's own code, called by MPI: reduction operators, functions of attributes, generalized
 * requests, error handlers, conversions of data. It is computation of the rank, as if it had been
 * done in front of the MPI call that called it: whoever needs what the call gives waits for it.
 *
 * MPI is given another function in the place of each (stubs.h), which comes here first. A thread
 * that is in no recorded call, as one of MPI's own, calls the program's function and no more.
 * Any thread, not in a handler.
 */
#ifndef SCA_PROF_CALLBACK_H
#define SCA_PROF_CALLBACK_H

#include "mpi/symbols.h"

enum { SCA_CALLBACK_WORDS = 6, SCA_CALLBACK_MORE = 4 };

/* What a stub calls: the first arguments, in registers, and where others may lie on the stack. */
sca_word sca_callback_run(const sca_word in_registers[SCA_CALLBACK_WORDS], sca_code function,
                          const sca_word more[SCA_CALLBACK_MORE]);

#endif
