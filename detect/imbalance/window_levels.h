/*
 * What a rank takes longer for in some windows than in others: work that moves from rank to rank
 * more slowly than windows follow each other, as a front through a domain. Single instances
 * scatter where ranks share cores, the median of a window hardly does, and what cores make of one
 * window they do not make of the next: so the same rank must be late in two windows that follow
 * each other, beyond three quarters of the ranks. What it takes longer all along is no matter of
 * windows: each rank is compared with its own usual.
 *
 * Order statistics throughout: a window's level is its median, a rank's usual the first quartile of
 * its levels, so that neither single long instances nor windows in which the rank is late say what
 * is usual. Results live in the workspace.
 */
#ifndef SCA_DETECT_WINDOW_LEVELS_H
#define SCA_DETECT_WINDOW_LEVELS_H

#include "imbalance/long_instances.h"

struct sca_window_levels {
    uint32_t windows, nranks;
    double *late; /* [window * nranks + rank] seconds that each instance takes longer there than the
                     rank usually takes beside the others; 0: it is not late. Windows by their
                     number (replay_trace.h) */
    double loss;  /* core-seconds that all ranks wait for the latest, beyond the quarter with most;
                     the lesser of two windows */
};

/* Of the interval between two calls. No windows: fewer than four show it on four ranks. */
struct sca_window_levels sca_window_levels_find(const struct sca_long_instances *of,
                                                uint32_t previous, uint32_t site);

#endif
