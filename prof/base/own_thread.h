/*
 * Threads of the library's own. They are made and joined by the same library as the program's,
 * whichever comes first: a sanitizer aborts a program that joins a thread it has not seen made. The
 * program's signals are for the program's threads: here all are blocked.
 */
#ifndef SCA_PROF_OWN_THREAD_H
#define SCA_PROF_OWN_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* To be joined by pthread_join(). False: there is none. Not in a handler. */
bool sca_own_thread_begin(pthread_t *thread, void *(*function)(void *));

#endif
