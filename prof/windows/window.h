/*
 * Windows: runs of whole iterations, recorded by all ranks at once
 * (doc/decisions/011-windows-not-traces.md).
 *
 * The program's main loop is told by its collectives: an iteration ends where a world-wide
 * collective that nobody leaves before all have entered it is left; every rank counts them alike.
 * Else by a loop of the program (loops.h). Four make a window: it ends behind each collective, or
 * each iteration of the loop, whose number four divides, so that ranks that begin to count late cut
 * where others do. Its calls are recorded as they come, on the thread that called MPI_Init, and at
 * its end it is kept or not (window_store.h). Calls of another thread, or more calls than there is
 * room for, spoil the window they fall into.
 *
 * Operations belong to the call that is being left. A receive behind a wildcard has no number yet:
 * it gives its operations' ids to sca_window_number() once it has.
 * All functions want the state lock held and mind that nothing may be recorded.
 */
#ifndef SCA_PROF_WINDOW_H
#define SCA_PROF_WINDOW_H

#include "windows/call.h"
#include "sca_profile.h"
#include <stdbool.h>
#include <stdint.h>

#define SCA_NO_OP UINT64_MAX

/* The calling thread's calls are recorded from now on. */
void sca_window_begin(void);
/* They cost too much: from the next on only half as many are recorded, those of the smaller
 * hashes, for these are kept longest on all ranks. Classes are counted as before. Twice as many as
 * the profile will hold are recorded first. */
void sca_window_rarer(void);
/* One in so many is recorded. */
unsigned sca_window_rareness(void);
/* The last window ends here. */
void sca_window_end(void);

/* Whether this is the thread whose calls are recorded. */
bool sca_window_is_own(void);
/* One more operation of the call; its id, or SCA_NO_OP. */
uint64_t sca_window_op(const struct sca_op *op);
/* Peer, tag and number of an operation are known now. Too late is no harm. */
void sca_window_number(uint64_t id, int32_t peer, int32_t tag, uint64_t number);
/* Something recorded in this window has turned out wrong. */
void sca_window_spoil(void);
/* So has something that was recorded since then: windows that ended later go. */
void sca_window_doubt(uint64_t since_ns);
/* The call, with the operations since the last one. `interval_ns` is own time (interval.h). */
void sca_window_call(const struct sca_call *call, uint64_t interval_ns);
/* A world collective was left and ended an iteration. True if that closed a window: it took time.
 */
bool sca_window_collective(uint64_t exit_ns);
/* An iteration of the main loop (main_loop.h) ends here, and the next one begins. If it had more
 * world collectives than a window, its windows may be kept together (long_iterations.h). Returns
 * how long that took, ns. */
uint64_t sca_window_round(void);
/* So many iterations make a window. */
unsigned sca_window_iterations(void);
/* As many of a loop ended, between two calls, the last with the `number`-th of the run, a multiple
 * of it. `loop`: whose, 1 to SCA_WINDOW_LOOPS. The window ends here if it shall (`cut`), or if it
 * holds more than the profile has room for; then it is cut at all such places in it, of this loop.
 * True as above. */
bool sca_window_loop(unsigned loop, uint64_t number, uint64_t ns, bool cut);

#endif
