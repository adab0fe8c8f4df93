/*
 * What ranks take for a few instances of an interval in a row: their lower median. What a rank
 * takes longer for in one of them and not in the next is chance; by how much the two in the middle
 * differ tells how far chance moves a median (stats/order_gap.h). What moves from rank to rank by
 * the program's doing stays for a while: so medians tell it where single instances on shared cores
 * scatter too much.
 */
#ifndef SCA_DETECT_INSTANCE_LEVEL_H
#define SCA_DETECT_INSTANCE_LEVEL_H

#include "imbalance/long_instances.h"

/* Core-seconds that all ranks wait for the one with the largest median of four in a row (or of two
 * or three at the end of a window), where this is more than `ratio` times the ranks' median by
 * three standard errors. 0 where windows have one instance. */
double sca_instance_level_loss(const struct sca_long_instances *of, uint32_t previous,
                               uint32_t site, double ratio);

#endif
