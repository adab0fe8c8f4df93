/*
 * Counts of independent events.
 */
#ifndef SCA_DETECT_POISSON_H
#define SCA_DETECT_POISSON_H

#include <stdint.h>

/* The logarithm of how much likelier so many are by the one mean than by the other; both above 0.
 * With the count itself as the mean, and `other` below it, Chernoff's bound on the tail: so many or
 * more have a probability of exp() of minus that at most. */
double sca_poisson_log_ratio(double count, double mean, double other);

/* The bound's exponent; 0 where there are no more than expected. */
double sca_poisson_surprise(double count, double expected);

/* The probability of so many or more. */
double sca_poisson_tail(uint32_t count, double expected);

#endif
