/*
 * Time between MPI calls that a rank was blocked, off its core by its own will: asleep, in I/O,
 * until another process, or a thread of its own, was done. On shared cores the last contains the
 * scheduler's doing, and differs from rank to rank and from step to step.
 */
#ifndef SCA_DETECT_OFF_CPU_H
#define SCA_DETECT_OFF_CPU_H

#include "measure/interval_bounds.h"

/* Seconds of all ranks in the intervals (intervals.h) that are marked; NULL: in any. */
double sca_off_cpu(struct sca_workspace *space, const struct sca_measure *m, const bool *in);

/* Per rank, on the way between two calls: what has no place. No sample tells the line; where the
 * runtime saw the call that blocked, its vertex does (struct sca_ppg_vertex). */
double *sca_off_cpu_unplaced(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_interval_bounds *bounds);

/* Of all ranks, per vertex, with all below. */
double *sca_off_cpu_within(struct sca_workspace *space, const struct sca_measure *m);

#endif
