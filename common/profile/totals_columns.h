/*
 * What of a rank's image is needed to compare ranks as wholes (sca_profile_each.h): the others are
 * not decoded, and take most of the time. Tables of which nothing is needed are empty then.
 */
#ifndef SCA_TOTALS_COLUMNS_H
#define SCA_TOTALS_COLUMNS_H

#include "profile/image.h"

#include <stdbool.h>

/* Of a column, 0 to SCA_COLUMNS - 1; of a table. */
bool sca_totals_column(uint32_t column);
bool sca_totals_table(enum sca_part_table table);
/* An image that was decoded before, with its tables. */
struct sca_image_before {
    const struct sca_span *sections;
    const struct sca_tables *tables;
};

/* As sca_image_decode(), of these columns alone; the others' spans are not looked at, but for
 * whether there is one. A table that is written as the one before is that one: `before` may be
 * NULL, else its tables live as long. */
const char *sca_image_decode_totals(const struct sca_span sections[SCA_SECTIONS],
                                    const struct sca_image_before *before,
                                    struct sca_region *region, struct sca_tables *out);

#endif
