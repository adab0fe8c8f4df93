/*
 * Threads of the application: pthread_create is interposed, so that each has its own sampling from
 * its first instruction to its end, however it ends. Threads that an MPI library starts for itself
 * (while its caller is inside MPI) are left alone.
 */
#ifndef SCA_PROF_SPAWN_H
#define SCA_PROF_SPAWN_H

#include <stdbool.h>
#include <stdint.h>

/* Samples the threads that were there before sampling was. Not in a handler. */
void sca_threads_adopt(unsigned frequency);
/* Whether the calling thread is sampled that way. */
bool sca_threads_adopted(void);
/* From now on it is noted what the threads beside the first compute. This and the next only of the
 * process's first thread (sca_threads_is_first()). */
void sca_threads_mark(void);
/* What the busiest of them computed since the mark, threads that follow each other being one; false
 * if none ran: nobody waited for them. Who of a pool took most pieces this time is chance where
 * cores are shared: what all did counts, by the share that one had lately. */
bool sca_threads_busiest(uint64_t *ns);
bool sca_threads_is_first(void);

#endif
