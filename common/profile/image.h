/*
 * Reading what the runtime left: rank images inside profile.sca, and .part files. Both give
 * struct sca_tables whose every index has been checked. Errors are SCA_E... with file and offset.
 */
#ifndef SCA_IMAGE_H
#define SCA_IMAGE_H

#include "base/region.h"
#include "profile/tables.h"

struct sca_span {
    const uint8_t *bytes;
    size_t length;
};

/* Decodes the sections of one image; the tables live in the region. NULL, or what is wrong. Of an
 * older image the last ones may not be there (bytes is NULL): what they tell is 0. */
const char *sca_image_decode(const struct sca_span sections[SCA_SECTIONS],
                             struct sca_region *region, struct sca_tables *out);

/* A file mapped for reading; bytes is NULL for an empty one. */
struct sca_file {
    const uint8_t *bytes;
    size_t length;
};
int sca_part_map(const char *path, struct sca_file *out);
void sca_part_unmap(struct sca_file *file);

/* A checked view of a .part: tables point into the file. path is for messages. */
int sca_part_view(const char *path, const struct sca_file *file, struct sca_tables *out);

#endif
