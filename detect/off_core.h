/*
 * Time between MPI calls that a rank spent off its core by its own will: asleep, in I/O, or until a
 * thread of its own was done. On shared cores the last contains the scheduler's doing, and differs
 * from rank to rank and from step to step.
 */
#ifndef SCA_DETECT_OFF_CORE_H
#define SCA_DETECT_OFF_CORE_H

#include "measure.h"

/* Seconds of all ranks after the sites that are marked; NULL: after any. */
double sca_off_core(struct sca_room *room, const struct sca_measure *m, const bool *after);

/* Of one rank, after the calls of a vertex (SCA_NONE: after MPI_Init). */
double sca_off_core_after(struct sca_opened *opened, const struct sca_measure *m, uint32_t rank,
                          uint32_t after);

/* Of all ranks, per vertex, with all below: it belongs to the structure around both calls
 * (metrics.h), for no sample tells more. */
double *sca_off_core_within(struct sca_room *room, const struct sca_measure *m);

#endif
