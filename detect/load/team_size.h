/*
 * How many threads of a rank compute: as the program was told (OMP_NUM_THREADS), else those that
 * samples fell on, but for helpers that have hardly any. Of the first ranks of a run, the most.
 */
#ifndef SCA_DETECT_TEAM_SIZE_H
#define SCA_DETECT_TEAM_SIZE_H

#include "sca_profile.h"

/* At least 1; 1 as well where memory is out. */
uint32_t sca_team_size(const struct sca_profile *profile);

#endif
