/*
 * Where a rank ends its process without MPI_Finalize, or all of them: the call is booked as one
 * that takes no time, and is what the rank did last (sca_part.h). Then the C library's own follows.
 *
 * Any thread, in handlers too. Nothing is booked in this library, on a handler's own stack and in a
 * child process; inside MPI only that the process ends.
 */
#ifndef SCA_PROF_ENDINGS_H
#define SCA_PROF_ENDINGS_H

/* `function`: SCA_FN_Abort, or of enum sca_outside_function. */
void sca_endings_note(unsigned function, const void *return_address, const void *cfa);

#endif
