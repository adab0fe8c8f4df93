#include "container.h"
#include "sca_error.h"
#include "sca_profile.h"
#include "profile/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char directory[] = "/dev/shm/scalana-fuzz-XXXXXX";

static void remove_directory(void)
{
    rmdir(directory);
}

const char *fuzz_directory(void)
{
    static int made;
    if (!made++) {
        if (!mkdtemp(directory))
            abort();
        atexit(remove_directory);
    }
    return directory;
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", fuzz_directory(), name);
    return path;
}

void fuzz_write(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(path_of(name), "wb");
    if (!file || (length && fwrite(bytes, 1, length, file) != length) || fclose(file))
        abort();
}

void fuzz_remove(const char *name)
{
    unlink(path_of(name));
}

static void put_chunk(struct sca_writer *w, uint32_t tag, const void *bytes, size_t length)
{
    size_t start = w->length;
    sca_wire_put_u32(w, tag);
    sca_wire_put_u32(w, SCA_CODING_RAW);
    sca_wire_put_u64(w, length);
    sca_wire_put_u64(w, length);
    uint32_t head = (uint32_t)crc32_z(0, w->data + start, SCA_CHUNK_HEADER - 4);
    sca_wire_put_u32(w, (uint32_t)crc32_z(head, bytes, length));
    sca_wire_put_bytes(w, bytes, length);
}

void fuzz_write_store(uint32_t ranks, const void *meta, size_t meta_length, const void *group,
                      size_t length)
{
    static const uint8_t end[4] = {2, 0, 0, 0};
    size_t room = length + meta_length + 256;
    uint8_t *bytes = malloc(room);
    struct sca_writer w;
    if (!bytes)
        abort();
    sca_wire_writer_init(&w, bytes, room);
    sca_wire_put_bytes(&w, SCA_STORE_MAGIC, sizeof SCA_STORE_MAGIC);
    sca_wire_put_u32(&w, SCA_STORE_VERSION);
    sca_wire_put_u32(&w, ranks);
    sca_wire_put_u32(&w, (uint32_t)crc32_z(0, bytes, SCA_STORE_HEADER - 4));
    put_chunk(&w, SCA_CHUNK_META, meta, meta_length);
    put_chunk(&w, SCA_CHUNK_RANKS, group, length);
    put_chunk(&w, SCA_CHUNK_END, end, sizeof end);
    fuzz_write(SCA_PROFILE_FILE, bytes, w.length);
    free(bytes);
}

static void *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        abort();
    *length = (size_t)ftell(file);
    void *bytes = malloc(*length + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, *length, file) != *length)
        abort();
    fclose(file);
    return bytes;
}

void *fuzz_read_group(const char *path, uint32_t *ranks, size_t *length)
{
    struct sca_reader file;
    struct sca_chunk chunk;
    size_t size;
    void *bytes = read_file(path, &size), *raw = NULL;
    sca_wire_reader_init(&file, bytes, size);
    if (sca_store_open(path, &file, ranks) < 0)
        abort();
    while (!raw && sca_store_next(path, &file, &chunk) == SCA_OK && chunk.tag != SCA_CHUNK_END)
        if (chunk.tag == SCA_CHUNK_RANKS) {
            raw = malloc((size_t)chunk.raw_length);
            *length = (size_t)chunk.raw_length;
            if (!raw || sca_store_unpack(path, &chunk, raw) < 0)
                abort();
        }
    free(bytes);
    if (!raw)
        abort();
    return raw;
}
