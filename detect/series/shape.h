/*
 * What a list of numbers does in all: a line or levels, a beginning of its own, and what recurs
 * beside them. Each is told from what the others leave: what recurs from the numbers divided by the
 * line or the levels, these from the numbers without those that recur.
 */
#ifndef SCA_DETECT_SHAPE_H
#define SCA_DETECT_SHAPE_H

#include "series/periods.h"
#include "series/trend.h"

#include <stdbool.h>

struct sca_shape {
    bool is_line;                   /* `drift` describes it better than `levels` */
    struct sca_trend_drift drift;   /* real, if is_line; */
    struct sca_trend_levels levels; /* else these */
    struct sca_trend_leading leading;
    struct sca_trend_periods periods;
};

/* x: n numbers of at least 0, of points of `width` iterations; at least 2. */
struct sca_shape sca_shape_of(struct sca_workspace *space, const double *x, uint32_t n,
                              uint32_t width);

#endif
