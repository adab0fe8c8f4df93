/*
 * Whether the ranks of a run had to share cores, by what the run itself says.
 */
#ifndef SCA_DETECT_SHARED_CORES_H
#define SCA_DETECT_SHARED_CORES_H

#include "sca_profile.h"

#include <stdbool.h>

/* There were more ranks than cores. */
bool sca_shares_cores(const struct sca_profile *profile);

/* Or the machine was busy: ranks waited for a core for more than a tenth of the time, by the
 * kernel's account. A run of an older release that does not tell has no such wait. */
bool sca_may_share_cores(const struct sca_profile *profile);

#endif
