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
 * kernel's account. Where a run does not tell, as those of older releases: they were off their
 * cores for so long, which a program that sleeps is as well. */
bool sca_may_share_cores(const struct sca_profile *profile);

#endif
