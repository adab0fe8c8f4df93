/*
 * Which windows are kept. All, while their bytes fit; then none that takes half of the room, and
 * those with the smallest hash of their iteration among the windows of their class (logarithm of
 * duration): ranks differ in what fits, but whatever one of them keeps less is what another would
 * have dropped next.
 *
 * Beside them those of long iterations (long_iterations.h), in room of their own: with a
 * class_total of 0 they stand for nothing. State lock held.
 */
#ifndef SCA_PROF_WINDOW_STORE_H
#define SCA_PROF_WINDOW_STORE_H

#include "sca_part.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    SCA_WINDOW_CLASSES = 64,
    SCA_WINDOW_KEEP = 8,   /* of each class before any has more */
    SCA_WINDOW_RECORD = 24 /* bytes of a record, packed */
};

/* Iterations are numbered by the world collectives before them, the loop that cuts them (0: none)
 * and its number, so that they rise with time, and are equal on ranks that cut alike. */
enum { SCA_WINDOW_LOOPS = 7, SCA_WINDOW_NUMBERS = (1 << 29) - 1 };

static inline uint64_t sca_window_position(uint64_t collectives, unsigned loop, uint64_t number)
{
    return collectives << 32 | (uint64_t)loop << 29 | number;
}

static inline uint64_t sca_window_collectives(uint64_t iteration)
{
    return iteration >> 32;
}

static inline unsigned sca_window_loop_of(uint64_t iteration)
{
    return iteration >> 29 & SCA_WINDOW_LOOPS;
}

static inline uint64_t sca_window_number_of(uint64_t iteration)
{
    return iteration & SCA_WINDOW_NUMBERS;
}

/* Among equals, the greatest goes first. Ranks may count loops differently; the loop is left out.
 */
uint64_t sca_window_store_hash(uint64_t iteration);
/* Some more than the profile will hold (window_choice.h), for ranks keep not quite the same.
 * SCALANA_RECORD=full: all there is room for. */
void sca_window_store_begin(void);
/* A window of this class has ended: counts it. True if it may be kept. */
bool sca_window_store_wants(uint64_t iteration, uint32_t duration_class);
/* What the last choice is made by (window_choice.h). */
struct sca_window_facts {
    uint64_t own_ns; /* computation */
    uint64_t kind;   /* the same where the same calls were made, in whatever order */
    uint64_t end;    /* the iteration that follows it */
};
/* Keeps it with its encoded events. */
void sca_window_store_keep(const struct sca_part_window *window, const void *events, uint32_t size,
                           struct sca_window_facts facts);
/* The same of one that long iterations have: unless it is kept already. False: there is no room. */
bool sca_window_store_keep_beside(const struct sca_part_window *window, const void *events,
                                  uint32_t size, struct sca_window_facts facts);
bool sca_window_store_has(uint64_t iteration);
/* Those go that no long iteration has any more. */
void sca_window_store_drop_beside(void);
/* Whether it stands for others; of one that is kept. */
static inline bool sca_window_is_beside(const struct sca_part_window *window)
{
    return !window->class_total;
}
/* Those that ended at this time of the run or later go. */
void sca_window_store_drop_since(uint64_t ns);
/* Of a window that was kept; zeros with SCALANA_RECORD=full. */
struct sca_window_facts sca_window_store_facts(uint64_t iteration);
/* The end: class totals, and no bytes between the windows that stayed. */
void sca_window_store_end(void);

#endif
