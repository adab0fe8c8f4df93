/*
 * The intervals between calls in which some code runs, and what ranks take there: exact, whatever
 * samples say of the code's lines.
 */
#ifndef SCA_DETECT_CODE_INTERVALS_H
#define SCA_DETECT_CODE_INTERVALS_H

#include "measure/core_speed.h"

/* The intervals (intervals.h) in which the chosen ranks (NULL: all) spend most of their time at the
 * place. */
uint32_t sca_code_intervals_list(struct sca_workspace *space, const struct sca_measure *m,
                                 const struct sca_within *place, const bool *chosen,
                                 uint32_t **intervals);

/* Marks those, and those that the same code runs in (same_code.h); on[]: one per interval, none
 * marked. */
void sca_code_intervals_mark(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_within *place, const bool *chosen, bool *on);

/* Seconds of each rank in the marked intervals. */
void sca_code_intervals_time(const struct sca_measure *m, const bool *on, double *seconds);

#endif
