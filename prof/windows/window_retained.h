/*
 * Windows that are closed, and whose records stay in the room of the open one, since the iteration
 * of the main loop goes on that they began in: if it becomes long, they are kept with it
 * (long_iterations.h). For window.c; state lock held.
 */
#ifndef SCA_PROF_WINDOW_RETAINED_H
#define SCA_PROF_WINDOW_RETAINED_H

#include "windows/window_marks.h"
#include <stdbool.h>

/* Whole iterations of what is open. */
struct sca_window_piece {
    struct sca_window_mark begin, end;
    bool named;  /* as in window.c */
    bool spoilt; /* not wholly recorded */
};

/* Where the iteration of the main loop began that runs. */
struct sca_window_round {
    uint64_t kind;        /* of what was recorded up to there */
    uint64_t collectives; /* before it */
};

/* NULL: none is known to run, or it has become too long. */
const struct sca_window_round *sca_window_round_at(void);
void sca_window_round_begins(struct sca_window_round round);

/* Nothing is, unless an iteration is known to run. One too many: that is none to keep, and nothing
 * is retained any more. */
void sca_window_retain(const struct sca_window_piece *piece);
void sca_window_retain_none(void);
uint32_t sca_window_retained_count(void);
struct sca_window_piece *sca_window_retained(uint32_t i);
/* Whether some are spoilt. */
bool sca_window_retained_spoilt(void);

#endif
