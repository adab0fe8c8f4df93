/*
 * Differences between ranks that come again from run to run are the program's: every other rank, a
 * slope along the ranks, the outer ones. What other work on a core does to its ranks falls on
 * others in another run.
 */
#ifndef SCA_DETECT_RANK_PATTERN_H
#define SCA_DETECT_RANK_PATTERN_H

#include <stdint.h>

/* Seconds by rank, of two runs: how much the relative differences of the first run's ranks from
 * their mean differ from those of the other's, on average. A rank is compared with that of the
 * same number, or as many from the end, or at the same part of the way, along a slope or in blocks;
 * all ranks in the same manner, whichever leaves least. INFINITY if too few can be compared. */
double sca_rank_pattern_left(const double *seconds, uint32_t nranks, const double *other,
                             uint32_t nothers);

#endif
