/*
 * What recurs at equal distances in a list of numbers, by ranks alone: nine in ten of the numbers
 * at such places are above most of the others, which by chance they would hardly be (Mann and
 * Whitney, Annals of Mathematical Statistics 18, 1947), and typically by a fifth or more.
 *
 * A number stands for a point of `width` iterations. What recurs are iterations: their period need
 * not be a multiple of the width. All periods that have the same places are told.
 *
 * A pure function over a workspace; all numbers at least 0, without a trend.
 */
#ifndef SCA_DETECT_PERIODS_H
#define SCA_DETECT_PERIODS_H

#include "base/workspace.h"
#include "series/comb.h"

enum { SCA_TREND_PERIODS = 3 };

struct sca_trend_period {
    uint64_t period;  /* iterations; the middle of those that have the same places */
    uint64_t periods; /* so many have; 1: it is exact */
    bool or_less;     /* shorter ones that come round more than once in a point may have, too */
    uint64_t first;   /* the first iteration, from 0 on, */
    uint64_t within;  /* known to so many; 1: exactly */
    uint32_t at;      /* its number */
    double of_points; /* ratio of the median there to that of the others */
    double ratio;     /* of an iteration that recurs to the others */
};

struct sca_trend_periods {
    uint32_t n;      /* what explains most first */
    uint8_t *recurs; /* of each number: whether it is one of them */
    struct sca_trend_period period[SCA_TREND_PERIODS];
};

/* The first `leading` numbers are left out: a beginning of its own. */
struct sca_trend_periods sca_trend_periods(struct sca_workspace *space, const double *x, uint32_t n,
                                           uint32_t width, uint32_t leading);

#endif
