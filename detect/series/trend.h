/*
 * What a list of numbers in their order does, by tests that assume no distribution: a step, a
 * drift, outliers that recur, a beginning unlike the rest. What may be noise is not reported: a
 * p-value counts for so many independent numbers as the autocorrelation of what is left leaves, and
 * the effect must be large besides.
 *
 * Pure functions over a workspace; all numbers at least 0.
 */
#ifndef SCA_DETECT_TREND_H
#define SCA_DETECT_TREND_H

#include "base/workspace.h"

#include <stdbool.h>
#include <stdint.h>

/* Changes of level: Pettitt's test (Applied Statistics 28, 1979) by binary segmentation (Scott and
 * Knott, Biometrics 30, 1974). Level: the median between two changes. */
enum { SCA_TREND_LEVELS = 8 };
struct sca_trend_levels {
    uint32_t n; /* at least 1 */
    uint32_t first[SCA_TREND_LEVELS];
    double level[SCA_TREND_LEVELS];
};
void sca_trend_levels(struct sca_workspace *space, const double *x, uint32_t n,
                      struct sca_trend_levels *out);

/* Growth along a line: the test of Mann (Econometrica 13, 1945) and Kendall, with the slope of
 * Theil and Sen (J. American Statistical Association 63, 1968). */
struct sca_trend_drift {
    bool is_real;
    double begin, end; /* of the line, at the first and the last number */
    double error;      /* mean absolute distance from the line */
};
struct sca_trend_drift sca_trend_drift(struct sca_workspace *space, const double *x, uint32_t n);

/* Outliers by Hampel's identifier (median and MAD), and whether they come at equal distances. */
enum { SCA_TREND_PERIODS = 3 };
struct sca_trend_period {
    uint32_t period, phase; /* phase: of the first that recurs */
    double level;           /* median of those that do */
};
struct sca_trend_outliers {
    uint32_t n;
    uint32_t *at;      /* rising */
    uint32_t leading;  /* so many of them are the first numbers, without a gap */
    uint32_t nperiods; /* the leading ones aside; what explains most first */
    struct sca_trend_period period[SCA_TREND_PERIODS];
    double usual; /* median of the others */
    double leading_level;
};
struct sca_trend_outliers sca_trend_outliers(struct sca_workspace *space, const double *x,
                                             uint32_t n);

/* Half the MAD's width of neighbours' differences: what numbers scatter by, whatever their trend.
 */
double sca_trend_scatter(struct sca_workspace *space, const double *x, uint32_t n);

#endif
