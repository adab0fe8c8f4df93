/*
 * How two series of the same length go together: coefficients from -1 to 1, how likely chance alone
 * gives as much, and a straight line through the points that a few of them do not bend.
 *
 * Own code: the one library that has these for C, GSL, lacks Kendall's coefficient and its licence
 * does not go with ours.
 */
#ifndef SCA_DETECT_CORRELATE_H
#define SCA_DETECT_CORRELATE_H

#include "base/settings.h"
#include "base/workspace.h"

/* Pearson's coefficient, Spearman's (Pearson's of the positions, ties share theirs) or Kendall's
 * tau-b (Knight, JASA 61, 1966). NAN if one of the two does not vary or there are fewer than three.
 */
double sca_correlate(struct sca_workspace *space, enum sca_method method, const double *x,
                     const double *y, uint32_t n);

/* Two-sided probability that n independent pairs give |r| or more, by the normal distribution:
 * Fisher's transform, for Spearman's coefficient with the variance of Fieller, Hartley and Pearson
 * (Biometrika 44, 1957), for Kendall's by its variance without ties. NAN with fewer than four. */
double sca_correlate_chance(enum sca_method method, double r, uint32_t n);

/* The |r| that chance passes in one case of 20. 1 with fewer than four. */
double sca_correlate_limit(enum sca_method method, uint32_t n);

struct sca_line {
    double slope, intercept; /* slope: NAN where x does not vary; then intercept is the middle y */
    double usual;            /* distance from it, of y, up to which a point is as the others */
};

/* The median of the slopes between two points (Theil 1950, Sen, JASA 63, 1968); of many points,
 * between some of them. `usual` is 3.5 robust standard deviations (Iglewicz and Hoaglin 1993), and
 * at least a hundredth of the greatest |y|. */
void sca_correlate_line(struct sca_workspace *space, const double *x, const double *y, uint32_t n,
                        struct sca_line *out);

/* Of y, above the line; `usual` is infinite with fewer than four points. */
double sca_correlate_distance(const struct sca_line *line, double x, double y);

#endif
