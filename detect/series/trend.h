/*
 * What a list of numbers in their order does, by tests that assume no distribution: a step, a
 * drift, a beginning unlike the rest (periods.h has what recurs). What may be noise is not
 * reported: a p-value counts for so many independent numbers as the autocorrelation of what is left
 * leaves, and the effect must be large besides.
 *
 * Pure functions over a workspace; all numbers at least 0.
 */
#ifndef SCA_DETECT_TREND_H
#define SCA_DETECT_TREND_H

#include "base/workspace.h"

#include <stdbool.h>
#include <stdint.h>

/* Changes of level: Pettitt's test (Applied Statistics 28, 1979) by binary segmentation (Scott and
 * Knott, Biometrics 30, 1974); and a few numbers at either end that are unlike the rest, which that
 * test does not see. Larger ones at the beginning are no level (sca_trend_leading). Level: the
 * median between two changes. */
enum { SCA_TREND_LEVELS = 8 };
struct sca_trend_levels {
    uint32_t n; /* at least 1 */
    uint32_t first[SCA_TREND_LEVELS];
    double level[SCA_TREND_LEVELS];
};
void sca_trend_levels(struct sca_workspace *space, const double *x, uint32_t n,
                      struct sca_trend_levels *out);

/* Growth along a line: the test of Mann (Econometrica 13, 1945) and Kendall, with the slope of
 * Theil and Sen (J. American Statistical Association 63, 1968). The line bends in the middle, or at
 * each quarter, where that is nearer by the criterion of Schwarz (Annals of Statistics 6, 1978). */
enum { SCA_TREND_KNOTS = 5 };
struct sca_trend_drift {
    bool is_real;
    uint32_t pieces;              /* straight ones: 1, 2 or 4 */
    double knot[SCA_TREND_KNOTS]; /* of the line, at the first number, each quarter, and the last */
    double error;                 /* mean absolute distance from the line */
};
static inline double sca_trend_begin(const struct sca_trend_drift *d)
{
    return d->knot[0];
}
static inline double sca_trend_end(const struct sca_trend_drift *d)
{
    return d->knot[SCA_TREND_KNOTS - 1];
}
double sca_trend_drift_at(const struct sca_trend_drift *drift, uint32_t n, uint32_t i);
/* Schwarz: what `more` numbers make of an error, of n numbers by Laplace's distribution. */
double sca_trend_penalty(double more, uint32_t n);
struct sca_trend_drift sca_trend_drift(struct sca_workspace *space, const double *x, uint32_t n);

/* The first numbers, if they are outliers without a gap (Hampel's identifier: median and MAD), and
 * more of them than the others have by chance. */
struct sca_trend_leading {
    uint32_t n;
    double ratio; /* of their median to that of all; 1: there are none */
};
struct sca_trend_leading sca_trend_leading(struct sca_workspace *space, const double *x,
                                           uint32_t n);

/* Standard deviation of what numbers scatter by, whatever their trend; what recurs, be it each
 * second one, is not in it. */
double sca_trend_scatter(struct sca_workspace *space, const double *x, uint32_t n);

#endif
