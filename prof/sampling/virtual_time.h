/*
 * Virtual time of the process's threads, as if each had a core of its own: what a thread computed
 * since the first one's interval began, by its CPU clock, and what it waited for others. Who goes
 * on by another's doing (a signal, a post, an end, the last at a barrier) is not before that one:
 * its clock is set to the other's if that is later (Lamport, "Time, clocks, and the ordering of
 * events in a distributed system", CACM 1978), and the difference is its wait. So the first
 * thread's clock is the length of the longest path to it.
 *
 * A moment knows who computed before it: a wait for it is charged to that thread, or, where that
 * one had waited itself for most of the time, to whom that wait was charged. Moments are kept by
 * the object that hands them over (hand_over.h). Any thread, not in a handler; no allocation; errno
 * is kept. Nanoseconds.
 */
#ifndef SCA_PROF_VIRTUAL_TIME_H
#define SCA_PROF_VIRTUAL_TIME_H

#include "base/guard.h"
#include "sampling/thread_moment.h"

/* Whether what the calling thread does at an object is followed: not inside MPI, the tool, or a
 * wait of its team. */
static inline bool sca_virtual_time_follows(void)
{
    const struct sca_thread *t = &sca_thread;
    return sca_recording && !(t->in_mpi | t->in_tool | t->awaits);
}

/* The calling thread's. */
struct sca_thread_moment sca_virtual_time_now(void);
/* It goes on at that moment, at the earliest. Returns what it waited; *thread: whom that is charged
 * to. */
uint64_t sca_virtual_time_pass(const struct sca_thread_moment *moment, uint32_t *thread);

/* The first thread: its interval begins, its CPU clock being so. */
void sca_virtual_time_mark(uint64_t cpu_ns);
/* The part of what it waited lately that was charged to one and the same thread, 0 to 1. */
double sca_virtual_time_part(void);

#endif
