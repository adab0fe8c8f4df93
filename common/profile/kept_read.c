#include "profile/kept.h"
#include "base/region.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 32) /* of a file: more is no file of a program */

static const char *text(struct sca_reader *r, struct sca_region *region)
{
    size_t length = 0;
    const char *bytes = sca_wire_get_string(r, &length);
    const char *copy = bytes ? sca_region_text(region, bytes, length) : NULL;
    r->failed |= !copy;
    return copy;
}

/* Every range lies inside the file. */
static bool check_ranges(struct sca_reader r, const struct sca_kept *kept)
{
    for (uint32_t i = 0; i < kept->nranges && !r.failed; i++) {
        uint64_t offset = sca_wire_get_varint(&r);
        size_t length = sca_wire_get_count(&r, 1);
        sca_wire_get_bytes(&r, length);
        r.failed |= offset > kept->size || length > kept->size - offset;
    }
    return !r.failed && !sca_wire_left(&r);
}

int sca_kept_read(const void *content, size_t length, struct sca_region *region,
                  struct sca_kept *out)
{
    struct sca_reader r;
    *out = (struct sca_kept){0};
    sca_wire_reader_init(&r, content, length);
    if (sca_wire_get_varint(&r) != SCA_KEPT_VERSION)
        return sca_fail(SCA_EVERSION, "code kept by a later release");
    out->path = text(&r, region);
    out->build_id = text(&r, region);
    uint64_t extent = sca_wire_get_varint(&r);
    out->size = sca_wire_get_varint(&r);
    uint64_t nranges = sca_wire_get_count(&r, 2);
    if (r.failed || extent > SCA_KEPT_ALL || nranges > UINT32_MAX || out->size > MOST_BYTES)
        return sca_fail(SCA_EFORMAT, "kept code without a head");
    out->extent = (enum sca_kept_extent)extent;
    out->nranges = (uint32_t)nranges;
    out->ranges = r.data + r.position;
    out->ranges_length = sca_wire_left(&r);
    return check_ranges(r, out) ? SCA_OK
                                : sca_fail(SCA_EFORMAT, "kept code with a range outside its file");
}

void *sca_kept_file(const struct sca_kept *kept)
{
    struct sca_reader r;
    uint8_t *file = calloc((size_t)kept->size + 1, 1);
    sca_wire_reader_init(&r, kept->ranges, kept->ranges_length);
    for (uint32_t i = 0; file && i < kept->nranges; i++) {
        uint64_t offset = sca_wire_get_varint(&r);
        size_t length = (size_t)sca_wire_get_varint(&r);
        const uint8_t *bytes = sca_wire_get_bytes(&r, length);
        if (bytes)
            memcpy(file + offset, bytes, length);
    }
    if (!file)
        sca_fail(SCA_ENOMEM, "%s: out of memory", kept->path);
    return file;
}
