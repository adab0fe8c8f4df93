#include "sca_debug_file.h"
#include "sca_wire.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

static int by_build_id(const struct sca_debug_link *l, char *out, size_t size)
{
    if (strlen(l->build_id) < 3)
        return -1;
    return snprintf(out, size, "/usr/lib/debug/.build-id/%.2s/%s.debug", l->build_id,
                    l->build_id + 2);
}

bool sca_debug_file_place(const struct sca_debug_link *link, unsigned which, char *out, size_t size)
{
    static const char *const before[] = {"", "", "", "/usr/lib/debug"};
    static const char *const between[] = {"", "", ".debug/", ""};
    const char *slash = strrchr(link->binary, '/');
    int folder = slash ? (int)(slash - link->binary) + 1 : 0, length = -1;
    if (which == 0)
        length = by_build_id(link, out, size);
    else if (which < SCA_DEBUG_FILE_PLACES && link->name)
        length = snprintf(out, size, "%s%.*s%s%s", before[which], folder, link->binary,
                          between[which], link->name);
    return length > 0 && (size_t)length < size;
}

const char *sca_debug_file_link_name(const void *section, size_t length, uint32_t *crc)
{
    const char *name = section, *end = section ? memchr(section, '\0', length) : NULL;
    struct sca_reader r;
    if (!end || end == name || memchr(name, '/', (size_t)(end - name)))
        return NULL;
    sca_wire_reader_init(&r, section, length);
    sca_wire_get_bytes(&r,
                       ((size_t)(end - name) + 4) & ~(size_t)3); /* NUL, then up to 4-byte bounds */
    *crc = sca_wire_get_u32(&r);
    return r.failed ? NULL : name;
}

bool sca_debug_file_has_crc(const char *path, uint32_t crc)
{
    unsigned char buffer[1 << 16];
    uLong sum = crc32(0, NULL, 0);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        sum = crc32(sum, buffer, (uInt)n);
    bool whole = !ferror(file);
    fclose(file);
    return whole && sum == crc;
}
