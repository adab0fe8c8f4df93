/*
 * Values at some places of a sorted list, without sorting all of it. Pure functions.
 */
#ifndef SCA_SELECT_H
#define SCA_SELECT_H

#include <stdint.h>

/* Reorders x[n] so that at each of the places, all below n, stands what would stand there if all
 * were sorted, smallest first. It takes the fewest steps where the places rise. */
void sca_select_places(double *x, uint32_t n, const uint32_t *places, uint32_t nplaces);

#endif
