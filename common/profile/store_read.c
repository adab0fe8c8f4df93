#include "profile/store.h"
#include "sca_error.h"

#include <string.h>
#include <zlib.h>

enum { ZLIB_HEAD = 2, ZLIB_TAIL = 4 /* bytes: Adler-32 */ };

static int damaged(const char *path, size_t at, const char *what)
{
    return sca_fail(SCA_EFORMAT, "%s: byte %zu: %s", path, at, what);
}

static uint32_t checksum(uint32_t start, const void *bytes, size_t length)
{
    return (uint32_t)crc32_z(start, bytes, length);
}

int sca_store_open(const char *path, struct sca_reader *file, uint32_t *nranks)
{
    if (file->length < SCA_STORE_HEADER)
        return damaged(path, file->length, "ends within the header");
    const uint8_t *magic = sca_wire_get_bytes(file, sizeof SCA_STORE_MAGIC);
    if (memcmp(magic, SCA_STORE_MAGIC, sizeof SCA_STORE_MAGIC))
        return damaged(path, 0, "not a ScalAna profile");
    uint32_t version = sca_wire_get_u32(file);
    *nranks = sca_wire_get_u32(file);
    if (sca_wire_get_u32(file) != checksum(0, file->data, SCA_STORE_HEADER - 4))
        return damaged(path, 0, "the header does not match its checksum");
    if (version > SCA_STORE_VERSION)
        return sca_fail(SCA_EVERSION, "%s: version %u, this release reads up to %u", path, version,
                        SCA_STORE_VERSION);
    if (version < SCA_STORE_OLDEST)
        return sca_fail(SCA_EFORMAT, "%s: version %u, from before the first release: run again",
                        path, version);
    return SCA_OK;
}

int sca_store_next(const char *path, struct sca_reader *file, struct sca_chunk *out)
{
    *out = (struct sca_chunk){.at = file->position};
    const uint8_t *head = file->data + file->position;
    out->tag = sca_wire_get_u32(file);
    out->coding = sca_wire_get_u32(file);
    out->raw_length = sca_wire_get_u64(file);
    uint64_t stored = sca_wire_get_u64(file);
    uint32_t expected = sca_wire_get_u32(file);
    if (file->failed || stored > sca_wire_left(file))
        return damaged(path, file->length, "the file ends too early");
    out->stored_length = (size_t)stored;
    out->stored = sca_wire_get_bytes(file, out->stored_length);
    uint32_t sum = checksum(0, head, SCA_CHUNK_HEADER - 4);
    if (checksum(sum, out->stored, out->stored_length) != expected)
        return damaged(path, out->at, "a chunk does not match its checksum");
    /* Nothing deflates by more than about 1032 to 1: a larger claim would only cost memory. */
    if (out->coding == SCA_CODING_RAW ? out->raw_length != stored
                                      : out->raw_length / 1100 > stored + 1)
        return damaged(path, out->at, "a chunk of impossible length");
    return SCA_OK;
}

/* RFC 1950, without a preset dictionary. */
static bool is_zlib(const uint8_t *bytes, size_t length)
{
    return length > ZLIB_HEAD + ZLIB_TAIL && (bytes[0] & 15) == Z_DEFLATED && bytes[0] >> 4 <= 7 &&
           (256u * bytes[0] + bytes[1]) % 31 == 0 && !(bytes[1] & 32);
}

/* The chunk's checksum is right: zlib's own, over what it becomes, would say the same. */
static int inflated(const struct sca_chunk *chunk, void *raw)
{
    z_stream z = {0};
    if (chunk->raw_length > UINT32_MAX || chunk->stored_length > UINT32_MAX ||
        !is_zlib(chunk->stored, chunk->stored_length) || inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return 0;
    z.next_in = (void *)(chunk->stored + ZLIB_HEAD);
    z.avail_in = (uInt)(chunk->stored_length - ZLIB_HEAD - ZLIB_TAIL);
    z.next_out = raw;
    z.avail_out = (uInt)chunk->raw_length;
    int done =
        inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == chunk->raw_length && !z.avail_in;
    inflateEnd(&z);
    return done;
}

int sca_store_unpack(const char *path, const struct sca_chunk *chunk, void *raw)
{
    if (chunk->coding == SCA_CODING_RAW) {
        if (chunk->stored_length)
            memcpy(raw, chunk->stored, chunk->stored_length);
        return SCA_OK;
    }
    if (chunk->coding != SCA_CODING_DEFLATE)
        return damaged(path, chunk->at, "a chunk with an unknown coding");
    return inflated(chunk, raw) ? SCA_OK : damaged(path, chunk->at, "a chunk that cannot be read");
}
