/*
 * What ranks take for an interval in a window, on average. A window has few instances, one after
 * the other. What a rank takes longer for in one of them and not in the next is chance; by how much
 * these differ within windows tells how far chance may move the mean of one (analysis of variance,
 * Fisher 1925). What moves from rank to rank by the program's doing stays for a while: so means
 * tell it where single instances on shared cores scatter too much.
 */
#ifndef SCA_DETECT_WINDOW_LEVEL_H
#define SCA_DETECT_WINDOW_LEVEL_H

#include "imbalance/long_instances.h"

/* Core-seconds that all ranks wait for the one with the largest mean of a window, where this is
 * more than `ratio` times the ranks' median by three standard errors. 0 where windows have one
 * instance. */
double sca_window_level_loss(const struct sca_long_instances *of, uint32_t previous, uint32_t site,
                             double ratio);

#endif
