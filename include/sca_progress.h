/*
 * How far a long step is: one line on standard error, only where that is a terminal, only from the
 * first second on, gone when the work ends. There is one terminal, hence one line per process.
 *
 * Cheap enough for inner loops (a coarse clock, mostly). Any thread may call it; what a second one
 * says meanwhile is left out. Not for signal handlers.
 */
#ifndef SCA_PROGRESS_H
#define SCA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* "loading scalana-cg-8p", and how much of it is done; total 0: not known, then
 * the seconds since it began stand there. */
void sca_progress(const char *step, uint64_t done, uint64_t total);
/* The same for a step that cannot say how far it is (parsing, printing a whole file): from now on
 * until the next one or the end, a thread of this module shows it, with its seconds. Parts of it
 * that know how far they are call sca_progress() and have the line meanwhile. Call it, like
 * sca_progress_end(), from one thread only. Costs nothing where there is no terminal. */
void sca_progress_watch(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From now on nothing is said, or again: a library speaks only where it is asked to. */
void sca_progress_silence(bool silence);
/* Takes the line away: before anything else is printed. The first second begins anew. */
void sca_progress_end(void);

#endif
