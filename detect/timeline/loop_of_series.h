/*
 * Which loop of the graph a series counts the iterations of, and which of them windows hold.
 */
#ifndef SCA_DETECT_LOOP_OF_SERIES_H
#define SCA_DETECT_LOOP_OF_SERIES_H

#include "sca_series.h"
#include "timeline/iterations.h"
#include "timeline/loop_round.h"

/* Of markers, the outermost loop around the section's call whose recorded iterations are as long as
 * those of the series, and where it goes round; else what ends with that call. False: there is
 * none. In `space`. */
bool sca_loop_of_series(struct sca_workspace *space, const struct sca_ppg *ppg,
                        const struct sca_ppg_run *run, const uint32_t *ends,
                        const struct sca_series *series, uint32_t section,
                        struct sca_loop_iterations *out, struct sca_loop_round *round);

/* The point of the section that holds this moment (seconds since MPI_Init), or the iteration:
 * UINT32_MAX outside of it. */
uint32_t sca_point_at(const struct sca_series *series, uint32_t section, double seconds);
uint32_t sca_point_of(const struct sca_series *series, uint32_t section, uint64_t number);

/* Of each iteration of the list its number in the series, from 1 on; 0: not known. In `space`. */
uint64_t *sca_loop_numbers(struct sca_workspace *space, const struct sca_ppg_run *run,
                           const struct sca_series *series, uint32_t section,
                           const struct sca_loop_iterations *list);

#endif
