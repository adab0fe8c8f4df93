/*
 * Whether the ranks of a run differ as those of another do, along the way from the first to the
 * last: a contrast with the weights that the other's pattern gives them (Rosenthal and Rosnow,
 * Contrast Analysis, 1985). It says more than a comparison of two groups where work rises and falls
 * along the ranks, and no rank stands out.
 */
#ifndef SCA_DETECT_RANK_PATTERN_H
#define SCA_DETECT_RANK_PATTERN_H

#include "stats/rank_correspondence.h"

#include <stdbool.h>

/* How much more the ranks of a run on nothers should have than their mean, as parts of it, by the
 * `pattern` of one on nranks; weights: [nothers]. False: it says nothing of some of them, or the
 * manner is another's. */
bool sca_rank_pattern_weights(const double *pattern, uint32_t nranks, uint32_t nothers,
                              enum sca_rank_manner manner, double *weights);

struct sca_contrast {
    double slope, error; /* 1: as much as the pattern says; one standard deviation */
};

/* Of seconds[n]. `usual`: what equal ranks differ by, as a standard deviation of parts of the mean;
 * it counts as SCA_SEVERAL ranks more. False: the weights are all alike, or ranks have nothing. */
bool sca_rank_pattern_contrast(const double *seconds, const double *weights, uint32_t n,
                               double usual, struct sca_contrast *out);

#endif
