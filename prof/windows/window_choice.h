/*
 * Which windows the profile holds, agreed upon at MPI_Finalize. Ranks differ a little in what they
 * kept, and a window counts only where every rank has it: each names its own, the lists are
 * intersected on their way up the tree (gather.h), and rank 0 chooses among what is left: so many,
 * and of so many bytes over all ranks, that a run of a hundred iterations leaves what one of hours
 * does.
 *
 * What a window stands for is told anew (two-phase sampling for stratification; Cochran, Sampling
 * Techniques, 12.2). First by the class of its duration, as it was kept; then by the computation
 * of the rank that had most of it: durations have the waits and the system's noise in them, and a
 * slow iteration may take no longer than one that was disturbed. And by the calls that rank 0 made
 * in it: a window of four collectives, of iterations with three, begins in another part of one each
 * time, and no part may be missing.
 *
 * Then windows of long iterations (long_iterations.h), as far as bytes are left: they stand for
 * nothing, with a total of 0.
 *
 * Windows are the same where the same iterations begin and end them. An iteration of a loop that
 * was told by call paths (loops.h) is known by its number and by how many the loop had in the whole
 * run: ranks number what they take for the program's loop each for itself, and where these are not
 * the same loops, or one rank has missed a round, the sums differ, and no window is the same. All
 * take over rank 0's numbers.
 *
 * On the thread that calls Finalize. Never allocates.
 */
#ifndef SCA_PROF_WINDOW_CHOICE_H
#define SCA_PROF_WINDOW_CHOICE_H

#include "windows/window_space.h"
#include <stdint.h>

struct sca_candidate {
    uint64_t name;      /* the same on all ranks */
    uint64_t iteration; /* by the rank's own number (window_store.h) */
    uint64_t bytes;     /* of the ranks that are joined already */
    uint64_t own_ns;    /* computation of the one of them that has most */
    uint64_t beside;    /* not 0: on one of them it stands for nothing */
};

/* By rising name. */
struct sca_candidates {
    uint64_t count;
    uint64_t all; /* not 0: everything is recorded, and everything stays */
    struct sca_candidate window[SCA_MOST_RECORDS];
};

/* Windows of a stratum share what happened of it: class and total of struct sca_part_window. */
struct sca_chosen_window {
    uint64_t name, iteration, total; /* iteration: by rank 0's number; they rise */
    uint32_t stratum, unused;
};

struct sca_chosen {
    uint64_t count, all;
    struct sca_chosen_window window[SCA_MOST_CHOSEN + SCA_MOST_CHOSEN_BESIDE];
};

/* This rank's, from its arena. */
void sca_window_choice_find(struct sca_candidates *own);
/* What both have. */
void sca_window_choice_join(struct sca_candidates *sum, const struct sca_candidates *other);
/* Rank 0, for all; its arena still has the windows with their classes of duration. */
void sca_window_choice_make(const struct sca_candidates *list, uint32_t ranks,
                            struct sca_chosen *chosen);
/* Every rank: the other windows leave its arena, these get rank 0's numbers. */
void sca_window_choice_apply(const struct sca_chosen *chosen);

#endif
