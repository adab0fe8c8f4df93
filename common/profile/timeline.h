/*
 * One line of time for all ranks of a run, from each rank's own clock and from what the runtime
 * measured of the clocks' distance at MPI_Init and MPI_Finalize (metadata "clock.*"). Between the
 * two, a clock is taken to drift evenly.
 */
#ifndef SCA_TIMELINE_H
#define SCA_TIMELINE_H

#include "sca_profile.h"
#include "profile/tables.h"

/* Reads a rank's share: where its record begins by its own clock, and that clock's offset. */
void sca_timeline_rank(struct sca_rank *rank, const struct sca_part_header *header,
                       const char *leader, const char *offset, const char *error);
/* Once all ranks and the metadata are there: the earliest Init becomes 0. */
void sca_timeline_finish(struct sca_profile *profile);

#endif
