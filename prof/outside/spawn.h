/*
 * Threads of the program from pthread_create() and thrd_create() to their end. Where any thread may
 * call MPI, a call that creates one is booked; where that thread begins and ends, only if it has
 * called MPI itself. So the detector knows what each waits for (trace/walker_traffic.c).
 */
#ifndef SCA_PROF_SPAWN_H
#define SCA_PROF_SPAWN_H

#include <pthread.h>
#include <stdbool.h>

/* Whether a thread that was joined just now had called MPI, and its end was booked. True once. */
bool sca_spawn_has_called(pthread_t thread);

#endif
