/*
 * A parallel region of OpenMP: the first thread of the process, which calls MPI, forks a team and
 * joins it. In virtual time, each thread with a core of its own, the region takes as long as the
 * busiest of its threads from barrier to barrier: the critical path of a fork-join graph. What each
 * computed the CPU clocks tell, without what it spun at the barrier. Where ranks share cores, who
 * of the team takes most pieces is chance in a single instance: what all computed counts, times the
 * part that the busiest had lately (as sampling/thread_turns.h).
 *
 * One region at a time: those of other threads pass, and so do teams of more than SCA_TEAM_MOST
 * (phase.h). A region inside it lasts as long as its busiest thread computes, all in all; how
 * much less it had been if all of its threads had, is booked at its own place. The runtime's own
 * entries call this (gomp.c). Not in handlers; no allocation.
 */
#ifndef SCA_PROF_TEAM_H
#define SCA_PROF_TEAM_H

#include <stdbool.h>
#include <stdint.h>

/* The calling thread forks a team, from that call; or from one that only jumped on to it, at the
 * region that is the function `into` (NULL: not so). Returns what the team's threads are to be
 * told; NULL: the region is not followed. */
struct sca_team_region;
struct sca_team_region *sca_team_fork(const void *return_address, const void *cfa,
                                      const void *into);
/* The team that it forked has ended, followed or not. */
void sca_team_join(const struct sca_team_region *region);

/* A thread begins its part of a region, and has ended it. Of any that is not followed, too, so that
 * it is known to compute. */
void sca_team_begin(struct sca_team_region *region);
void sca_team_end(void);

/* Around a barrier of the whole team. Between the two the thread waits, but for tasks that it runs
 * there. False: it is in no team that is followed; the second is not to be called. */
bool sca_team_arrive(void);
void sca_team_depart(void);

/* What a thread of a team is at: its own part of the region; a piece that others could have taken
 * as well (pieces.h); or it waits for others' pieces, or at a barrier. */
enum sca_team_state { SCA_TEAM_OWN, SCA_TEAM_PIECE, SCA_TEAM_WAITS };
/* The calling thread turns to that: to its own part only if it is at no barrier. Each piece begins
 * so. Returns what it was at, to which it may go back. */
enum sca_team_state sca_team_turn_to(enum sca_team_state state);
/* The calling thread makes a task that depends on n objects, by that call, of the function `body`.
 * Returns its number, which is its team's; 0: it is in no team that is followed,
 * or there is no room. */
struct sca_depend;
uint32_t sca_team_make_task(const struct sca_depend *depends, uint32_t n,
                            const void *return_address, const void *cfa, const void *body);
/* Pieces that it takes from now on are of that task; 0: of none. Returns of which they were. */
uint32_t sca_team_set_task(uint32_t task);
/* Of a loop that is handed out it has got a chunk, or there is none left. */
void sca_team_next_piece(bool any);

/* Around a wait for one's turn among the team, and when it is over: who waits for that turn goes on
 * no earlier. A turn has a key; those of `ordered` have 0, of which the last one counts. What the
 * thread spins meanwhile is no work. Returns how long it waited, each thread with a core of its
 * own, ns, and for which thread's turn; 0 too if it is in no team that is followed, and for a turn
 * that is not known any more. */
uint64_t sca_team_turn_begin(void);
uint64_t sca_team_turn_come(uint64_t began_ns, uint64_t key, uint32_t *thread);
void sca_team_turn_over(uint64_t key);

#endif
