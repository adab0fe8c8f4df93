/*
 * Whether the ranks of a run had to share cores, by what the run itself says.
 */
#ifndef SCA_DETECT_SHARED_CORES_H
#define SCA_DETECT_SHARED_CORES_H

#include "sca_profile.h"

#include <stdbool.h>

/* There were more ranks than cores. */
bool sca_shares_cores(const struct sca_profile *profile);

/* Or the machine was busy: ranks had a core for less than nine tenths of the time. */
bool sca_may_share_cores(const struct sca_profile *profile);

#endif
