/*
 * Where the program's iterations end if they have no world-wide collective: at those of a loop.
 * Only after a thousand iterations without a world collective is the window cut at all, or where it
 * holds more than the profile has room for: what fits is better left whole.
 *
 * Instrumented loops that may reach MPI call a hook at each iteration (sca_hook.h); every rank of
 * an SPMD program sees the same ones. Iterations without an MPI call do not count, nor do those in
 * which MPI_Test or MPI_Iprobe found nothing and no other call was made: how often a rank looks is
 * its own affair. A loop that has 64 of them in a row is left alone for a while: its marker costs a
 * load and a branch then. The first loop with 16 iterations delimits the program's, until one
 * around it has had four.
 *
 * Other code has no markers. There loops are told by the call paths (recurrence.h), and cut where
 * no marker has for a thousand of their iterations, or for as many as there is room for.
 *
 * Ranks that differ in their calls begin to cut at different times. So iterations are numbered from
 * the run's beginning, those of markers from the last world collective.
 *
 * What has been taken for an iteration on one rank may not be one on another (one that makes no
 * call in some iteration, or has an inner loop alone). So at the end windows are compared by what
 * their loop has come to in the whole run (window_choice.h), and the detector looks whether they
 * fit together.
 *
 * begin and end: once each, on the thread that called MPI_Init, whose iterations count.
 */
#ifndef SCA_PROF_LOOPS_H
#define SCA_PROF_LOOPS_H

#include "windows/call.h"
#include <stdbool.h>
#include <stdint.h>

/* Hooks the markers of every module that has some. */
void sca_loops_begin(void);
/* After dlclose, and now and then: hooks the markers of modules that have come, forgets those of
 * modules that have gone, tries again those left alone. State lock not held; not in a handler. */
void sca_loops_modules_changed(void);
void sca_loops_end(void);
/* A call has been entered; its site is known. True if it begins an iteration before which a
 * window ends. */
bool sca_loops_call(const struct sca_call *call);
/* Then: ends the iteration before, with the call before. True if that closed a window. State lock
 * held. */
bool sca_loops_cut(uint64_t exit_ns);
/* Iterations of the run that the loop which ended a window had; 0: not known. */
uint32_t sca_loops_iterations(unsigned loop);
/* This call, a world collective that is booked, has ended an iteration. True if that took time.
 * State lock held. */
bool sca_loops_collective(const struct sca_call *call);
/* The call that is being left was to see whether something is done, and it was not. */
void sca_loops_found_nothing(void);

#endif
