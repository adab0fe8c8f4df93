/*
 * Locks within ranks, on shared cores. Threads that take turns on a core seldom meet at a lock;
 * with a core for each they would stand in line. A lock serialises: a parallel region, or an
 * interval, takes no less than all threads together had the lock in it (the bound of a server in a
 * closed queueing network; Denning and Buzen, "The operational analysis of queueing network
 * models", 1978). How long they had it samples tell (SCA_SAMPLE_HELD and SCA_SAMPLE_REGION_HELD,
 * sca_part.h). What is missing is added to the rank's intervals, and to the records of that lock
 * (length_ns).
 */
#ifndef SCA_DETECT_SERIALISED_H
#define SCA_DETECT_SERIALISED_H

#include "sca_profile.h"

#include <stdbool.h>

/* Whether a call takes a lock within the process. */
bool sca_serialised_is_lock(const struct sca_site *site);

/* Whether the run has such calls: then ranks' tables may change. */
bool sca_serialised_may_be(const struct sca_profile *profile);

/* SCA_OK or SCA_ENOMEM. `opened` is of that profile. */
int sca_serialised_add(struct sca_profile *profile, struct sca_opened *opened);

#endif
