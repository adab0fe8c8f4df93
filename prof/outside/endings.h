/*
 * Where a rank ends its process without MPI_Finalize, or all of them: the call is booked as one
 * that takes no time, and is what the rank did last (sca_part.h). Once more it is the C library's
 * own.
 *
 * Any thread, in handlers too. Inside MPI, in this library, and in a child process nothing is done.
 */
#ifndef SCA_PROF_ENDINGS_H
#define SCA_PROF_ENDINGS_H

/* `function`: SCA_FN_Abort, or of enum sca_outside_function. */
void sca_endings_note(unsigned function, const void *return_address, const void *cfa);

#endif
