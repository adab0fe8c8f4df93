/*
 * The main loop of code with markers, for the series (series/series.h): the outermost one with at
 * least four iterations. Unlike what delimits windows (loops.h) its iterations may be of any
 * length. Its first iterations are kept while it is not chosen yet, so that none is missing.
 *
 * A loop that begins after it is followed from its fourth iteration on, until the main loop comes
 * round: then it was within. Where that has happened, 64 iterations are awaited. A loop that was
 * within before is taken to be so again, and no mark of it is kept until it has had 64. A loop that
 * comes round in one execution holds what functions that it calls had as the main loop in the
 * meantime; of loops of one function the series decides (series/series_table.h).
 *
 * The thread that called MPI_Init, state lock held.
 */
#ifndef SCA_PROF_MAIN_LOOP_H
#define SCA_PROF_MAIN_LOOP_H

#include "profile/series_events.h"
#include "sca_part.h"
#include <stdbool.h>

enum { SCA_MAIN_LOOP_FIRST = 4 };

/* Of each loop that runs; 0: it has just begun. */
struct sca_followed {
    uint64_t turn;   /* of the main loop, when it was counted anew */
    uint32_t rounds; /* since then */
    uintptr_t frame; /* of its function; those of functions that it calls are below */
    bool was_main;   /* in this execution */
    bool within;     /* so it was before: nothing is kept of it, */
    bool waited;     /* for until it had been followed long enough */
    struct sca_part_mark first[SCA_MAIN_LOOP_FIRST + 1];
    struct sca_mark_events events[SCA_MAIN_LOOP_FIRST + 1]; /* at these marks */
};

/* A loop begins; `name` identifies it. True: it is taken to be within the main loop. Then nothing
 * else is called for it. */
bool sca_main_loop_begins_within(struct sca_followed *loop, uint64_t name, uintptr_t frame);
/* Such a loop has come round. True: it is still taken to be within. */
bool sca_main_loop_stays_within(struct sca_followed *loop, uint64_t name, bool around);
/* Else: a loop begins, or comes round for the `number`-th time. */
void sca_main_loop_begins(struct sca_followed *loop, uintptr_t frame, uint64_t ns);
/* around: it holds the main loop. True: it is the main loop now. */
bool sca_main_loop_round(struct sca_followed *loop, uint64_t name, uint32_t number, bool around,
                         uint64_t ns);
/* What is the main loop, 0: none yet. */
uint64_t sca_main_loop(void);

#endif
