/*
 * Ranks that are as slow as abnormal ones, by exact times: samples prove it for some ranks and are
 * too few for another, which needs as much more for the same intervals between MPI calls.
 */
#ifndef SCA_DETECT_SLOW_RANKS_H
#define SCA_DETECT_SLOW_RANKS_H

#include "measure/core_speed.h"

/* The intervals (intervals.h) in which the chosen ranks spend most of their time at the place. */
uint32_t sca_slow_ranks_intervals(struct sca_workspace *space, const struct sca_measure *m,
                                  const struct sca_within *place, const bool *chosen,
                                  uint32_t **intervals);

/* Marks those, and those that the same code runs in (same_code.h); on[]: one per interval, none
 * marked.
 */
void sca_slow_ranks_mark_around(struct sca_workspace *space, const struct sca_measure *m,
                                const struct sca_within *place, const bool *chosen, bool *on);

/* Seconds of each rank in the marked intervals. */
void sca_slow_ranks_time_marked(const struct sca_measure *m, const bool *on, double *seconds);

/* Sets in as_slow[] the ranks, beside the chosen, that are: in the intervals in which the chosen
 * are at the place they take `least` times what others take, and at least half as much more as the
 * chosen do. */
void sca_slow_ranks_find(struct sca_workspace *space, const struct sca_measure *m,
                         const struct sca_within *place, const bool *chosen, double least,
                         bool *as_slow);

#endif
