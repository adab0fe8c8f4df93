/*
 * What the threads of a rank do at the moment its part is read, while it writes there: a record
 * that changes meanwhile is read again. Nothing is written, nobody is waited for.
 */
#ifndef SCA_PROFILE_MOMENT_H
#define SCA_PROFILE_MOMENT_H

#include "base/region.h"
#include "profile/tables.h"
#include "sca_profile.h"

/* A header of `size` bytes, of this version or of 5, as it lies in a mapped file, which its process
 * may be writing to. What it refers to in the tables is within their counts. A record of a thread
 * that makes calls faster than it can be read is as of one between two calls. */
void sca_moment_read_header(const struct sca_part_header *live, size_t size,
                            struct sca_part_header *out);

/* A rank's indices -> the profile's. */
struct sca_moment_maps {
    const uint32_t *site, *node, *comm;
};

/* The moment of a rank, in the profile's indices; it lives in the region. NULL for an older part;
 * SCA_ENOMEM. */
int sca_moment_make(struct sca_region *region, const struct sca_tables *t,
                    const struct sca_moment_maps *maps, struct sca_moment **out);

#endif
