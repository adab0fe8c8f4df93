/*
 * Functions that the program gives MPI to call. What MPI gets instead is a stub of this library's,
 * one for each function, that sees when it is called (callback.h); the same for the same function,
 * so that their number is that of the program's functions. MPI's own (MPI_COMM_DUP_FN and others)
 * stay as they are, and so do those for which there is no stub left.
 */
#ifndef SCA_PROF_CALLED_BACK_H
#define SCA_PROF_CALLED_BACK_H

#include "mpi/symbols.h"

/* What MPI is to be given for this function. Any thread, not in a handler. */
sca_word sca_called_back(sca_word function);

#endif
