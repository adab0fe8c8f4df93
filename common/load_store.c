/* profile.sca into a profile. The file is written whole and then renamed, so damage is a bad
 * copy: it is refused as a whole, rather than analysed with ranks missing. */
#include "image.h"
#include "profile_load.h"
#include "sca_error.h"
#include "store.h"
#include "sca_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int damaged(const char *path, size_t at, const char *what)
{
    return sca_fail(SCA_EFORMAT, "%s: byte %zu: %s", path, at, what);
}

static int take_rank(struct sca_load *load, const char *path, const struct sca_chunk *chunk,
                     uint32_t index, const struct sca_span *sections)
{
    struct sca_region region = {0};
    struct sca_tables tables;
    struct sca_profile *p = load->profile;
    const char *wrong = sca_image_decode(sections, &region, &tables);
    if (!wrong && (tables.header.rank != index || tables.header.size != p->nranks))
        wrong = "an image of another rank";
    if (!wrong && p->ranks[index].present)
        wrong = "a rank that came before";
    char message[256];
    int status = wrong ? SCA_EFORMAT : sca_load_rank(load, &tables, &p->ranks[index]);
    snprintf(message, sizeof message, "%s", wrong ? wrong : sca_error_message());
    if (status == SCA_EFORMAT)
        sca_fail(status, "%s: rank %u in the chunk at byte %zu: %s", path, index, chunk->at,
                 message);
    if (status == SCA_OK && tables.header.nmetrics > p->nmetrics)
        p->nmetrics = tables.header.nmetrics;
    sca_region_free(&region);
    return status;
}

/* Turns the group round again: span [rank][section] of n ranks. */
static int read_spans(struct sca_reader *r, uint32_t n, struct sca_span *spans)
{
    for (uint32_t section = 0; section < SCA_SECTIONS; section++)
        for (uint32_t i = 0; i < n; i++) {
            struct sca_span *span = &spans[(size_t)i * SCA_SECTIONS + section];
            span->bytes = (const uint8_t *)sca_get_string(r, &span->length);
        }
    return !r->failed && !sca_left(r);
}

static int take_group(struct sca_load *load, const char *path, const struct sca_chunk *chunk,
                      const uint8_t *raw)
{
    struct sca_reader r;
    sca_reader_init(&r, raw, (size_t)chunk->raw_length);
    uint64_t first = sca_get_varint(&r);
    size_t n = sca_get_count(&r, SCA_SECTIONS);
    if (r.failed || !n || first >= load->profile->nranks || n > load->profile->nranks - first)
        return damaged(path, chunk->at, "ranks outside the run");
    if (sca_get_varint(&r) != SCA_SECTIONS)
        return damaged(path, chunk->at, "images of another shape");
    struct sca_span *spans = calloc(n * SCA_SECTIONS, sizeof *spans);
    if (!spans)
        return sca_fail(SCA_ENOMEM, "%s: out of memory", path);
    int status = SCA_OK;
    if (!read_spans(&r, (uint32_t)n, spans))
        status = damaged(path, chunk->at, "images that do not fill their chunk");
    for (size_t i = 0; status == SCA_OK && i < n; i++)
        status = take_rank(load, path, chunk, (uint32_t)(first + i), spans + i * SCA_SECTIONS);
    free(spans);
    return status;
}

static int take_meta(struct sca_load *load, const char *path, const struct sca_chunk *chunk,
                     const uint8_t *raw)
{
    size_t length = (size_t)chunk->raw_length;
    if (length && raw[length - 1])
        return damaged(path, chunk->at, "metadata without an end");
    return sca_merge_meta(&load->merge, (const char *)raw, length);
}

static int take_chunk(struct sca_load *load, const char *path, const struct sca_chunk *chunk)
{
    if (chunk->tag != SCA_CHUNK_META && chunk->tag != SCA_CHUNK_RANKS)
        return SCA_OK; /* of a later release: said in no way to matter */
    uint8_t *raw = malloc((size_t)chunk->raw_length + 1);
    if (!raw)
        return sca_fail(SCA_ENOMEM, "%s: out of memory", path);
    int status = sca_store_unpack(path, chunk, raw);
    if (status == SCA_OK)
        status = chunk->tag == SCA_CHUNK_META ? take_meta(load, path, chunk, raw)
                                              : take_group(load, path, chunk, raw);
    free(raw);
    return status;
}

static int check_end(const struct sca_load *load, const char *path, const struct sca_reader *file,
                     const struct sca_chunk *end, uint32_t chunks)
{
    uint8_t raw[4];
    struct sca_reader r;
    if (end->raw_length != sizeof raw || sca_store_unpack(path, end, raw) < 0)
        return damaged(path, end->at, "an end that is none");
    sca_reader_init(&r, raw, sizeof raw);
    if (sca_get_u32(&r) != chunks)
        return damaged(path, end->at, "chunks are missing");
    if (sca_left(file))
        return damaged(path, file->position, "bytes after the end");
    for (uint32_t i = 0; i < load->profile->nranks; i++)
        if (!load->profile->ranks[i].present)
            return sca_fail(SCA_EFORMAT, "%s: byte %zu: rank %u is missing", path, end->at, i);
    return SCA_OK;
}

static int read_store(struct sca_load *load, const char *path, struct sca_reader *file)
{
    uint32_t nranks = 0;
    int status = sca_store_open(path, file, &nranks);
    if (status == SCA_OK && (!nranks || nranks > SCA_MAX_RANKS))
        status = damaged(path, 12, "an impossible number of ranks");
    if (status == SCA_OK)
        status = sca_load_ranks(load, nranks);
    for (uint32_t chunks = 0; status == SCA_OK; chunks++) {
        struct sca_chunk chunk;
        sca_progress(path, file->position, file->position + sca_left(file));
        status = sca_store_next(path, file, &chunk);
        if (status == SCA_OK && chunk.tag == SCA_CHUNK_END)
            return check_end(load, path, file, &chunk, chunks);
        if (status == SCA_OK)
            status = take_chunk(load, path, &chunk);
    }
    return status;
}

int sca_load_store(struct sca_load *load, const char *path)
{
    struct sca_file file;
    struct sca_reader reader;
    int status = sca_file_map(path, &file);
    if (status < 0)
        return status;
    sca_reader_init(&reader, file.bytes, file.length);
    status = read_store(load, path, &reader);
    sca_file_unmap(&file);
    return status;
}
