/*
 * MPI calls that were left by a jump: an exception or longjmp of the program's, from code that MPI
 * called or from a signal's handler. Being inside MPI is a state of the frame that entered it.
 */
#ifndef SCA_PROF_LEFT_H
#define SCA_PROF_LEFT_H

#include <stdint.h>

/* Which calls of this thread have no frame any more, as seen from stack pointer `sp`. They are
 * marked, and the thread is where it would be if they had returned; left.c of calls/ books them.
 * Async-signal-safe. */
void sca_left_look(uint64_t sp);

#endif
