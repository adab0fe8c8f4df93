/*
 * A parallel region of OpenMP: the first thread of the process, which calls MPI, forks a team and
 * joins it. In virtual time, each thread with a core of its own, the region takes as long as the
 * busiest of its threads from barrier to barrier: the critical path of a fork-join graph. What each
 * computed the CPU clocks tell, without what it spun at the barrier. Where ranks share cores, who
 * of the team takes most pieces is chance in a single instance: what all computed counts, times the
 * part that the busiest had lately (as sampling/thread_turns.h).
 *
 * One region at a time: regions inside it, and those of other threads, pass, and so do teams of
 * more than SCA_TEAM_MOST. The runtime's own entries call this (gomp.c). Not in handlers; no
 * allocation.
 */
#ifndef SCA_PROF_TEAM_H
#define SCA_PROF_TEAM_H

#include <stdbool.h>
#include <stdint.h>

enum { SCA_TEAM_MOST = 64 };

/* The calling thread forks a team, from that call; or from one that only jumped on to it, at the
 * region that is the function `into` (NULL: not so). False: it is not followed. */
bool sca_team_fork(const void *return_address, const void *cfa, const void *into);
/* The team that it forked has ended, followed or not. */
void sca_team_join(bool followed);

/* A thread begins its part of a region, and has ended it. Of any that is not followed, too, so that
 * it is known to compute. */
void sca_team_begin(bool followed);
void sca_team_end(bool followed);

/* Around a barrier of the whole team. Between the two the thread waits, but for tasks that it runs
 * there. False: it is in no team that is followed; the second is not to be called. */
bool sca_team_arrive(void);
void sca_team_depart(void);
/* Around a wait for tasks, in the middle of a phase; likewise. */
bool sca_team_pause(void);
void sca_team_resume(void);
/* Around a wait for one's turn among the team (`ordered`), and when it is over: the next one's turn
 * is not before that. What the thread spins meanwhile is no work. Returns how long it waited, each
 * thread with a core of its own, ns, and for which thread's turn; 0 too if it is in no team that
 * is followed. */
uint64_t sca_team_turn_begin(void);
uint64_t sca_team_turn_come(uint64_t began_ns, uint32_t *thread);
void sca_team_turn_over(void);
/* Around a task. */
bool sca_team_task_begin(void);
void sca_team_task_end(bool waits);

#endif
