/*
 * Reductions over the ranks of a run, of a number for each: with measure/sides.h the only places
 * where ranks are compared with what is usual among them. What asks them needs no rank's number but
 * by a row, so that the rows may be spread over processes.
 *
 * A row is the caller's, [nranks], and stays as it is unless said. Nothing is allocated.
 */
#ifndef SCA_DETECT_OVER_RANKS_H
#define SCA_DETECT_OVER_RANKS_H

#include <stdbool.h>
#include <stdint.h>

double sca_over_ranks_sum(const double *row, uint32_t nranks);
double sca_over_ranks_mean(const double *row, uint32_t nranks); /* of at least one rank */
double sca_over_ranks_most(const double *row, uint32_t nranks); /* at least 0 */
/* From the least to that. */
double sca_over_ranks_range(const double *row, uint32_t nranks);

/* The median of the ranks that are not left out (NULL: none is) and whose number is not NaN; of two
 * in the middle the lower one, 0 of no rank. `scratch` is [nranks]; it may be the row, which is
 * then of no use any more. */
double sca_over_ranks_median(const double *row, uint32_t nranks, const bool *left_out,
                             double *scratch);

/* Mean relative deviation from that median, whichever half differs; 0 where it is not above 0.
 * `scratch` is not the row. */
double sca_over_ranks_scatter(const double *row, uint32_t nranks, const bool *left_out,
                              double *scratch);

#endif
