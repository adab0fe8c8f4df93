/*
 * What a rank did after a snapshot: its tables, less those it had then. Tables only grow at their
 * end, so a record of the snapshot is the record of the same number now; samples are found by what
 * they are of, since a profile that is written leaves some out. Minima and maxima stay those of the
 * whole run.
 */
#ifndef SCA_PROFILE_SINCE_H
#define SCA_PROFILE_SINCE_H

#include "base/region.h"
#include "profile/tables.h"

/* *out lives in the region and refers to `now` where nothing changed. SCA_EMISMATCH: the snapshot
 * is of another run, or rank, or later. SCA_ENOMEM. */
int sca_since_subtract(struct sca_region *region, const struct sca_tables *now,
                       const struct sca_tables *then, struct sca_tables *out);

/* The same, with the part of that rank in the snapshot's folder. */
int sca_since_apply(const char *snapshot, struct sca_region *region, const struct sca_tables *now,
                    struct sca_tables *out);

#endif
