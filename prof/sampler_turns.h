/*
 * A clock that makes every switch dearer, run in turns: where a thread yields thousands of times a
 * second, for a part of its CPU time only, in stretches of some milliseconds, sampling that much
 * faster in them. A stretch begins and ends at the kernel's ticks, both alike, so that no moment
 * of a program is in one more often than another (single samples at ticks are: ranks that share a
 * core get it at ticks). And not at all while the thread waits (idle.h).
 *
 * One set of turns per thread, for sampler_perf.c. All but sca_turns_share() outside handlers.
 */
#ifndef SCA_PROF_SAMPLER_TURNS_H
#define SCA_PROF_SAMPLER_TURNS_H

#include <stdbool.h>
#include <stdint.h>

enum sca_turn { SCA_TURN_OFF, SCA_TURN_WAIT, SCA_TURN_ON };

/* `run` puts the calling thread's clock off for some milliseconds, lets it wait for a moment, or
 * runs it; `again` takes a new distance to the next sample, since the share is another; both also
 * from a handler. The clock is on when this returns, turns or no turns. A switch costs `switch_ns`
 * while it is on. */
void sca_turns_start(void (*run)(enum sca_turn), void (*again)(void), uint64_t switch_ns);
void sca_turns_stop(void);
void sca_turns_pause(bool paused);
/* The clock is on for one part in so many of the thread's time; 1: always. */
unsigned sca_turns_share(void);

#endif
