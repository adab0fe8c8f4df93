/*
 * How far a long step is: one line on standard error, only where that is a terminal, only from the
 * first second on, gone when the work ends. There is one terminal, hence one line per process.
 *
 * Cheap enough for inner loops (a coarse clock, mostly). Any thread may call it; what a second one
 * says meanwhile is left out. Not for signal handlers.
 */
#ifndef SCA_PROGRESS_H
#define SCA_PROGRESS_H

#include <stdint.h>

/* "loading scalana-cg-8p", and how much of it is done; total 0: not known. */
void sca_progress(const char *step, uint64_t done, uint64_t total);
/* Takes the line away: before anything else is printed. The first second begins anew. */
void sca_progress_end(void);

#endif
