/*
 * What a rank takes longer for in some windows than in others: work that moves from rank to rank
 * more slowly than windows follow each other, as a front through a domain. Single instances
 * scatter where ranks share cores, the median of half a window hardly does, and what cores make of
 * one half they do not make of the next: so the same rank must be late in two that follow each
 * other, beyond three quarters of the ranks. What it takes longer all along is no matter of
 * windows: each rank is compared with its own usual.
 *
 * Order statistics throughout: a level is the median of a half, a rank's usual the first quartile
 * of its levels, so that neither single long instances nor halves in which the rank is late say
 * what is usual. Results live in the workspace.
 */
#ifndef SCA_DETECT_WINDOW_LEVELS_H
#define SCA_DETECT_WINDOW_LEVELS_H

#include "imbalance/long_instances.h"

struct sca_window_levels {
    double loss;  /* core-seconds that all ranks wait for the latest, beyond the quarter with most;
                     the lesser of two halves */
    double *late; /* [half * ranks + rank] seconds that each instance takes longer there than the
                     rank usually takes beside the others; 0: it is not late. Halves by their
                     number (instance_matrix.h). NULL: the loss is less than was asked for */
};

/* Of the interval between two calls. Nothing is lost where fewer than four halves show it, or fewer
 * than four ranks; or where those that are late in it compute less elsewhere at that time, as who
 * polls, now before one call, now before another. */
struct sca_window_levels sca_window_levels_find(const struct sca_long_instances *of,
                                                uint32_t previous, uint32_t site, double least);

#endif
