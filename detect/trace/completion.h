/*
 * Where what a call only begins is completed: that is where its transfer takes time.
 */
#ifndef SCA_DETECT_COMPLETION_H
#define SCA_DETECT_COMPLETION_H

#include "sca_profile.h"

#include <stdbool.h>
#include <stdint.h>

/* MPI_Wait, MPI_Test and their like. */
bool sca_completion_is(const char *function);

/* MPI_Test and its like, MPI_Iprobe: who calls them has other work to do, and does not wait. */
bool sca_completion_polls(const char *function);

/* MPI_Ibarrier, MPI_Ialltoallv and their like. */
bool sca_completion_begins_collective(const char *function);

/* The site that completes what `site`, a collective that does not block, begins: the first one that
 * completes anything on the rank's most frequent way on. UINT32_MAX if there is none, and for
 * other calls. The rank must be open with its intervals. */
uint32_t sca_completion_site(const struct sca_profile *profile, const struct sca_rank *rank,
                             uint32_t site);

#endif
