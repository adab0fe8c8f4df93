/*
 * Quantiles of values that do not weigh alike.
 */
#ifndef SCA_DETECT_WEIGHTED_QUANTILE_H
#define SCA_DETECT_WEIGHTED_QUANTILE_H

#include <stdint.h>

struct sca_weighted {
    double ratio, weight;
};

/* The ratio at which that part (0 to 1, 0.5: the median) of the weight is reached, of which there
 * is `total`; 1 of nothing. Sorts. */
double sca_weighted_quantile(struct sca_weighted *list, uint32_t n, double total, double part);

#endif
