/*
 * Iterations at equal distances, and the points that they fall into: points hold `width` iterations
 * each, all as many. The places of a comb are the points that hold one of its iterations more than
 * the other points do. A period shorter than a point has places, too, where it does not divide it.
 *
 * Pure functions. Iterations are counted from 0 at the beginning of the first point.
 */
#ifndef SCA_DETECT_COMB_H
#define SCA_DETECT_COMB_H

#include <stdbool.h>
#include <stdint.h>

struct sca_comb {
    uint64_t period, phase; /* phase: the first iteration, less than the period */
    uint32_t width;
};

bool sca_comb_has(const struct sca_comb *comb, uint32_t point);
/* The first place from there on; n: there is none among n points. */
uint32_t sca_comb_next(const struct sca_comb *comb, uint32_t n, uint32_t point);

/* All combs of a width that have the same places among n points. */
struct sca_combs {
    bool any;
    uint64_t least, most; /* of their periods, at least 2 */
    uint64_t within;      /* so many iterations may be their first one */
    struct sca_comb comb; /* the middle one */
};
/* Those of which each point holds at least `always`. */
struct sca_combs sca_combs_like(const struct sca_comb *comb, uint32_t n, uint32_t always);

#endif
