/*
 * Threads of the program that the library's signal cannot reach, and that are not sampled for it:
 * they block it by a direct system call, or somebody has its handler. The run's metadata say so
 * (sampling.unreached), and one line at the end.
 */
#ifndef SCA_PROF_UNREACHED_H
#define SCA_PROF_UNREACHED_H

/* The calling thread is sampled no more. Not in a handler. */
void sca_unreached_note(void);
/* Sampling ends: checks the threads that still run, and reports all of them. */
void sca_unreached_tell(void);

#endif
