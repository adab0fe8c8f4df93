/*
 * The median of values that do not weigh alike.
 */
#ifndef SCA_DETECT_WEIGHTED_MEDIAN_H
#define SCA_DETECT_WEIGHTED_MEDIAN_H

#include <stdint.h>

struct sca_weighted {
    double ratio, weight;
};

/* The ratio in the middle of the weight, of which there is `total`; 1 of nothing. Sorts. */
double sca_weighted_median(struct sca_weighted *list, uint32_t n, double total);

#endif
