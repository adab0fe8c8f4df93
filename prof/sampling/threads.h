/*
 * The threads of the application that are followed from pthread_create (spawn.c) to their end: who
 * samples them, and what they compute beside the first.
 */
#ifndef SCA_PROF_THREADS_H
#define SCA_PROF_THREADS_H

#include "sampling/thread_moment.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <threads.h>

#define SCA_THREADS_REMEMBERED (63.0 / 64) /* of what was computed before the last mark */

/* One thread. No allocation: there are so many and no more. */
struct sca_thread_slot {
    int state; /* free, starting or running: threads.c */
    int tid;
    bool foreign; /* the MPI library's own */
    uint64_t stack_bytes;
    void *(*function)(void *);
    thrd_start_t c11_function;
    void *argument;
    struct sca_thread_moment created;
    uint32_t created_at; /* site of the call that creates it; 0: not booked */
    bool adopted;
    void *handle;             /* of its timer, if adopted */
    uint64_t marked_ns;       /* its CPU time at the last mark; 0: began since */
    uint64_t ended_ns;        /* what threads in this slot computed since then that have ended */
    uint64_t taken_ns;        /* for it, by the node clock */
    uint64_t queued_ns;       /* it had waited so long for a core when that was looked at last */
    uint64_t ended_queued_ns; /* since the mark, of those that have ended */
    uint64_t locked_ns;       /* since the mark */
    uint64_t stood_ns;        /* by the wall clock, in waits for locks since the mark */
    uint64_t mpi_ns;          /* CPU time within MPI since the mark */
    double lately_ns;         /* what they all computed between marks, the earlier the less */
};

/* For a thread that is about to be started; NULL if all are taken. One that a foreign thread starts
 * is foreign, too. */
struct sca_thread_slot *sca_threads_take(bool foreign);
void sca_threads_give_back(struct sca_thread_slot *slot); /* it was not started after all */
/* The calling thread, whose slot this is, runs; and ends. */
void sca_threads_arrive(struct sca_thread_slot *slot);
void sca_threads_leave(struct sca_thread_slot *slot);

/* Samples the threads that were there before sampling was. Not in a handler. */
void sca_threads_adopt(unsigned frequency);
/* How many of those that are followed and run are so. */
unsigned sca_threads_count(bool (*is_so)(int tid));
/* Whether the calling thread is sampled by a timer as adopted ones are. */
bool sca_threads_adopted(void);
/* From now on it is noted what the threads beside the first compute. This and the next only of the
 * process's first thread (sca_threads_is_first()). */
void sca_threads_mark(void);
struct sca_threads_work {
    uint64_t
        all_ns; /* what they computed since the mark, threads that follow each other being one */
    double busiest; /* the part of it that the busiest of them has, by what they did lately: who of
                       a pool took most pieces this time is chance where cores are shared */
    uint64_t locked_ns; /* of all_ns, waits for locks */
};
struct sca_threads_work sca_threads_since_mark(void);
/* How long a thread at most computed, waited for a core, and waited for a lock whose holder had no
 * core (no more than `most_stood_ns`), since the mark. Behind sca_threads_since_mark(); opens a
 * file for each thread: only after a stall. What a thread waited since the last such look counts
 * whole.
 */
uint64_t sca_threads_longest_since_mark(uint64_t most_stood_ns);
bool sca_threads_is_first(void);
/* The calling thread is the MPI library's own, or was started by such a one. */
bool sca_threads_is_foreign(void);
/* Of the calling thread, which is not the first: what threads with its slot waited for locks since
 * the mark; the same with what it computed itself. */
uint64_t sca_threads_locked_since_mark(void);
uint64_t sca_threads_own_since_mark(void);
/* The calling thread has waited so long for a lock that another one of the process had: of what
 * these say a thread computed, for it would have taken so long with a core of its own. By the wall
 * clock it was `wall_ns`. */
void sca_threads_waited(uint64_t ns, uint64_t wall_ns);
/* The calling thread took so much CPU time within an MPI call: that is not what it computes. */
void sca_threads_in_mpi(uint64_t ns);
/* CPU time of a thread of the process, by its number for the kernel; 0 if there is none. */
uint64_t sca_threads_cpu_ns(int tid);
/* At the end: what those that run and were sampled have waited for a core (core_use.h). Opens a
 * file for each. */
void sca_threads_note_waits(void);
/* Of the calling thread: 0 for the first and for those not followed, else from 1, the lowest that
 * is free when it begins. In handlers too. */
uint32_t sca_threads_number(void);

#endif
