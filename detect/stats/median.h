/*
 * The median of a list, and what stands at another place of it. Pure functions, no memory of their
 * own.
 */
#ifndef SCA_DETECT_MEDIAN_H
#define SCA_DETECT_MEDIAN_H

#include <stdint.h>

/* What would stand at `place`, from 0, if x were sorted; reorders x. */
double sca_median_select(double *x, uint32_t n, uint32_t place);

/* Reorders x. The lower median: with two ranks the lesser one, so that one slow rank of two stands
 * out against the other and work on one rank of two counts as work of one. 0 if n is 0. */
double sca_median(double *x, uint32_t n);

/* Smallest first. */
void sca_median_sort(double *x, uint32_t n);

#endif
