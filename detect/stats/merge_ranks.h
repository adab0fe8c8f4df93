/*
 * One number for all ranks, for models of scaling (SC'20, IV-A). A pure function, no memory of its
 * own.
 */
#ifndef SCA_DETECT_MERGE_RANKS_H
#define SCA_DETECT_MERGE_RANKS_H

#include "base/settings.h"
#include <stdint.h>

/* One number for n ranks; sorts x (except SCA_MERGE_RANK's look-up, which comes first).
 * VARIANCE gives the standard deviation, CLUSTER the centre of the slower of two groups (1-D
 * 2-means): it follows a slow group however few they are. */
double sca_merge_ranks(double *x, uint32_t n, enum sca_merge strategy, uint32_t rank);

#endif
