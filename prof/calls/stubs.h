/*
 * Places of code that MPI can be given in the place of a function: each calls sca_callback_run with
 * the function of its number. They pass words, in registers and on the stack, as they come, so any
 * interface of C or Fortran will do that takes no floating point.
 */
#ifndef SCA_PROF_STUBS_H
#define SCA_PROF_STUBS_H

#include "mpi/symbols.h"

enum { SCA_STUBS = 1024, SCA_STUB_BYTES = 16 };

extern const unsigned char sca_stubs[SCA_STUBS][SCA_STUB_BYTES];
/* Of the stubs that MPI has got. */
extern sca_code sca_stub_functions[SCA_STUBS];

#endif
