/*
 * Where the open window may be cut in pieces, each of whole iterations of a loop: it is left whole
 * while it fits into the profile, and that is known only later. For window.c; state lock held.
 */
#ifndef SCA_PROF_WINDOW_MARKS_H
#define SCA_PROF_WINDOW_MARKS_H

#include <stdint.h>

enum { SCA_MOST_MARKS = 512 };

/* What the window held when an iteration had ended. */
struct sca_window_mark {
    uint32_t events, ops, iterations;
    uint64_t kind; /* as in window.c */
    uint64_t at;   /* the iteration that follows (window_store.h) */
    uint64_t ns;
};

/* Of a loop; those of another go. */
void sca_window_marks_add(unsigned loop, struct sca_window_mark mark);
void sca_window_marks_clear(void);
/* So many events and operations before the window have gone. */
void sca_window_marks_move(uint32_t events, uint32_t ops);
uint32_t sca_window_marks_count(void);
/* At the last one; 0: there is none. */
uint32_t sca_window_marks_events(void);
/* By rising events. */
const struct sca_window_mark *sca_window_marks_get(uint32_t i);

#endif
