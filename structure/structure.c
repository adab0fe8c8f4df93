/* Structures as their users ask for them: of a file, from the cache or made anew, and looked up. */
#include "cache/structure_cache.h"
#include "cache/structure_file.h"
#include "sca_error.h"
#include "sca_replace.h"
#include "sca_structure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Lines come and go with the debug file. */
static bool cache_key(struct sca_binary *binary, char *key, size_t size)
{
    if (!*binary->build_id)
        return false;
    snprintf(key, size, "%s%s", binary->build_id, sca_binary_dwarf(binary) ? "-g" : "");
    return true;
}

int sca_structure_cached(struct sca_binary *binary, const struct sca_units *units, bool cache,
                         struct sca_structure *out)
{
    char key[SCA_BUILD_ID_TEXT + 8];
    bool known = cache && cache_key(binary, key, sizeof key);
    if (known && sca_structure_cache_get(key, out))
        return SCA_OK;
    if (binary->extent < SCA_BINARY_WHOLE)
        return sca_fail(SCA_EFORMAT, "%s: its machine code is missing", binary->path);
    int status = sca_structure_recover(binary, units, out);
    if (known && !status)
        sca_structure_cache_put(key, out);
    return status;
}

static int of_binary(struct sca_binary *binary, struct sca_structure *out)
{
    struct sca_units units = {0};
    Dwarf *dwarf = sca_binary_dwarf(binary);
    int status = dwarf ? sca_compile_units_read(dwarf, &units) : SCA_OK;
    for (size_t u = 0; u < units.count; u++)
        units.units[u].has_hash = false; /* all of it is wanted */
    if (!status)
        status = sca_structure_recover(binary, &units, out);
    sca_compile_units_free(&units);
    return status;
}

int sca_structure_of(const char *path, struct sca_structure *out)
{
    struct sca_binary *binary;
    *out = (struct sca_structure){0};
    if (access(path, R_OK))
        return sca_fail(errno == ENOENT ? SCA_ENOTFOUND : SCA_EIO, "%s: %m", path);
    int status = sca_binary_open(path, "", &binary);
    if (status)
        return status;
    status = of_binary(binary, out);
    sca_binary_close(binary);
    return status;
}

/* ---- into a file ---- */

struct bytes {
    const uint8_t *bytes;
    size_t length;
};

static int write_bytes(FILE *out, const void *context)
{
    const struct bytes *b = context;
    return fwrite(b->bytes, 1, b->length, out) == b->length ? SCA_OK : SCA_EIO;
}

int sca_structure_save(const struct sca_structure *structure, const char *path)
{
    struct bytes b;
    uint8_t *bytes = sca_structure_encode(structure, &b.length);
    if (!bytes)
        return SCA_ENOMEM;
    b.bytes = bytes;
    int status = sca_replace_file(path, write_bytes, &b);
    free(bytes);
    return status;
}

/* ---- looking up ---- */

void sca_structure_free(struct sca_structure *s)
{
    free(s->psg);
    free(s->stacks);
    free(s->rows);
    *s = (struct sca_structure){0};
}

uint32_t sca_structure_find(const struct sca_structure *s, uint64_t address)
{
    uint32_t low = 0, high = s->nrows;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->rows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? s->rows[low - 1].stack : SCA_NO_STACK;
}

uint32_t sca_structure_ids(const struct sca_structure *s, uint32_t stack, uint32_t *ids,
                           uint32_t most)
{
    uint32_t depth = 0;
    for (uint32_t at = stack; at != SCA_NO_STACK; at = s->stacks[at].outer)
        depth++;
    uint32_t skipped = depth > most ? depth - most : 0, i = depth;
    for (uint32_t at = stack; at != SCA_NO_STACK; at = s->stacks[at].outer)
        if (--i < depth - skipped)
            ids[i] = s->stacks[at].id;
    return depth - skipped;
}
