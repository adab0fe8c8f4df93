/*
 * Log-log fits with confidence intervals (SC'20, IV-A; regression after Barnes et al.). Pure
 * functions, no memory of their own.
 */
#ifndef SCA_DETECT_FIT_H
#define SCA_DETECT_FIT_H

#include <stdint.h>

struct sca_fit {                        /* log(y) = intercept + slope * log(x) */
    double intercept, slope, low, high; /* 95 % interval of the slope */
    double r2;                          /* 1 with two points */
    double middle, spread; /* of log(x): mean, and sum of the squared distances from it */
    double more_noise;     /* what a point is off by, over the noise that was expected of it */
    uint32_t n;
};

/* Fits points with x > 0 and y > 0. `noise` is the relative error expected of a point before
 * looking (sampling, contention): the residuals of two or three points say little, so it enters
 * the interval as if four further points had shown it. Returns 0 if fewer than two different x. */
int sca_fit_loglog(const double *x, const double *y, uint32_t n, double noise, struct sca_fit *out);

/* The fitted y at x. */
double sca_fit_at(const struct sca_fit *fit, double x);
/* Half the 95 % interval of log(y) on the line at x: grows with the distance from what was
 * measured. */
double sca_fit_error(const struct sca_fit *fit, double x);

#endif
