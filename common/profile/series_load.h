/* The run's series as a profile is read: from the chunk of a finished run, or put together from the
 * parts of one that did not end. */
#ifndef SCA_SERIES_LOAD_H
#define SCA_SERIES_LOAD_H

#include "base/region.h"
#include "profile/tables.h"
#include "sca_profile.h"
#include "sca_series.h"
#include "sca_wire.h"

#include <stdbool.h>

/* *out lives in the region; it stays where the content is of a later release. SCA_EFORMAT (without
 * message), SCA_ENOMEM. */
int sca_series_read(struct sca_region *region, const void *content, size_t length,
                    const struct sca_profile *profile, struct sca_series **out);

/* The phases of the chunk into series->phases. False without memory; the reader says what is
 * malformed. */
bool sca_phases_read(struct sca_region *region, struct sca_reader *r, uint32_t nranks,
                     struct sca_series *series);

/* Parts, one after the other. `end` makes the profile's series of them, if there is one, and gives
 * back what this took. All take NULL: there is no memory for a series. */
struct sca_series_parts;
struct sca_series_parts *sca_series_parts_begin(uint32_t nranks);
void sca_series_parts_add(struct sca_series_parts *parts, const struct sca_tables *tables);
void sca_series_parts_end(struct sca_series_parts *parts, struct sca_region *region,
                          struct sca_profile *profile);

#endif
