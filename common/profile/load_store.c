/* profile.sca into a profile. The file is written whole and then renamed, so damage is a bad
 * copy: it is refused as a whole, rather than analysed with ranks missing. */
#include "profile/kept.h"
#include "profile/load_group.h"
#include "profile/profile_load.h"
#include "profile/series_load.h"
#include "sca_error.h"
#include "sca_progress.h"
#include "profile/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int damaged(const char *path, size_t at, const char *what)
{
    return sca_fail(SCA_EFORMAT, "%s: byte %zu: %s", path, at, what);
}

/* Of the same run of a program, ranks mostly are. */
static bool is_alike(const struct sca_group *group, uint32_t i)
{
    static const enum sca_part_table tables[] = {SCA_T_STRINGS, SCA_T_MODULES, SCA_T_NODES,
                                                 SCA_T_SITES, SCA_T_COMMS};
    for (size_t k = 0; i && k < sizeof tables / sizeof *tables; k++)
        if (group->tables[i].record[tables[k]] != group->tables[i - 1].record[tables[k]])
            return false;
    return i > 0;
}

static int take_rank(struct sca_load *load, const struct sca_group *group, uint32_t i)
{
    const struct sca_tables *tables = &group->tables[i];
    struct sca_profile *p = load->profile;
    uint32_t index = group->first + i;
    const char *wrong = NULL;
    if (tables->header.rank != index || tables->header.size != p->nranks)
        wrong = "an image of another rank";
    else if (p->ranks[index].present)
        wrong = "a rank that came before";
    char message[256];
    load->merge.alike = load->taker && is_alike(group, i);
    int status = wrong ? SCA_EFORMAT : sca_profile_load_rank(load, tables, &p->ranks[index]);
    snprintf(message, sizeof message, "%s", wrong ? wrong : sca_error_message());
    if (status == SCA_EFORMAT)
        sca_fail(status, "%s: rank %u in the chunk at byte %zu: %s", group->path, index,
                 group->chunk.at, message);
    if (status == SCA_OK && tables->header.nmetrics > p->nmetrics)
        p->nmetrics = tables->header.nmetrics;
    return status;
}

/* The group that was begun, if any. */
static int take_group(struct sca_load *load, struct sca_group *group)
{
    int status = group->path ? sca_load_group_finish(group) : SCA_OK;
    for (uint32_t i = 0; group->path && status == SCA_OK && i < group->count; i++)
        status = take_rank(load, group, i);
    sca_load_group_free(group);
    *group = (struct sca_group){0};
    return status;
}

static int take_meta(struct sca_load *load, const char *path, const struct sca_chunk *chunk)
{
    size_t length = (size_t)chunk->raw_length;
    if (load->view && sca_worlds_view_first(load->view)) /* the first world's are those of all */
        return SCA_OK;
    uint8_t *raw = malloc(length + 1);
    int status =
        raw ? sca_store_unpack(path, chunk, raw) : sca_fail(SCA_ENOMEM, "%s: out of memory", path);
    if (status == SCA_OK && length && raw[length - 1])
        status = damaged(path, chunk->at, "metadata without an end");
    if (status == SCA_OK)
        status = sca_merge_meta(&load->merge, (const char *)raw, length);
    free(raw);
    return status;
}

/* What a later release keeps is not for us. */
static int take_code(struct sca_load *load, const char *path, const struct sca_chunk *chunk)
{
    struct sca_kept kept;
    uint8_t *content = sca_region_alloc(load->merge.region, (size_t)chunk->raw_length + 1);
    int status = content ? sca_store_unpack(path, chunk, content)
                         : sca_fail(SCA_ENOMEM, "%s: out of memory", path);
    if (status == SCA_OK)
        status = sca_kept_read(content, (size_t)chunk->raw_length, load->merge.region, &kept);
    if (status == SCA_EFORMAT)
        return damaged(path, chunk->at, "kept code that cannot be read");
    if (status == SCA_OK)
        status = sca_profile_load_kept(load, &kept);
    return status == SCA_EVERSION ? SCA_OK : status;
}

/* Of one world among several, and since a snapshot, there is none. */
static int take_series(struct sca_load *load, const char *path, const struct sca_chunk *chunk)
{
    if (load->view || load->since)
        return SCA_OK;
    size_t length = (size_t)chunk->raw_length;
    uint8_t *raw = malloc(length + 1);
    int status =
        raw ? sca_store_unpack(path, chunk, raw) : sca_fail(SCA_ENOMEM, "%s: out of memory", path);
    if (status == SCA_OK)
        status =
            sca_series_read(load->merge.region, raw, length, load->profile, &load->profile->series);
    free(raw);
    return status == SCA_EFORMAT ? damaged(path, chunk->at, "a series that cannot be read")
                                 : status;
}

struct rank_groups {
    struct sca_load *load;
    const char *path;
    struct sca_group groups[2]; /* the one that was begun, and the one before */
    int current;
};

/* A group is decoded while the one before it is merged. */
static int take_chunk(struct rank_groups *r, const struct sca_chunk *chunk)
{
    struct sca_group *before = &r->groups[r->current];
    if (chunk->tag == SCA_CHUNK_META)
        return take_meta(r->load, r->path, chunk);
    if (chunk->tag == SCA_CHUNK_CODE)
        return take_code(r->load, r->path, chunk);
    if (chunk->tag == SCA_CHUNK_SERIES)
        return take_series(r->load, r->path, chunk);
    if (chunk->tag != SCA_CHUNK_RANKS)
        return SCA_OK; /* of a later release: said in no way to matter */
    r->current = !r->current;
    sca_load_group_begin(&r->groups[r->current], r->path, chunk, r->load->profile->nranks,
                         r->load->taker);
    return take_group(r->load, before);
}

/* After an error nobody asks for the group that is still being decoded. */
static int end_groups(struct rank_groups *r, int status)
{
    struct sca_group *last = &r->groups[r->current];
    if (status == SCA_OK)
        return take_group(r->load, last);
    char message[512];
    snprintf(message, sizeof message, "%s", sca_error_message());
    if (last->path)
        sca_load_group_finish(last);
    sca_load_group_free(last);
    return sca_fail(status, "%s", message);
}

static int check_end(const struct sca_load *load, const char *path, const struct sca_reader *file,
                     const struct sca_chunk *end, uint32_t chunks)
{
    uint8_t raw[4];
    struct sca_reader r;
    if (end->raw_length != sizeof raw || sca_store_unpack(path, end, raw) < 0)
        return damaged(path, end->at, "an end that is none");
    sca_wire_reader_init(&r, raw, sizeof raw);
    if (sca_wire_get_u32(&r) != chunks)
        return damaged(path, end->at, "chunks are missing");
    if (sca_wire_left(file))
        return damaged(path, file->position, "bytes after the end");
    for (uint32_t i = 0; i < load->profile->nranks; i++)
        if (!load->profile->ranks[i].present)
            return sca_fail(SCA_EFORMAT, "%s: byte %zu: rank %u is missing", path, end->at, i);
    return SCA_OK;
}

static int read_chunks(struct sca_load *load, const char *path, struct sca_reader *file)
{
    struct rank_groups r = {.load = load, .path = path};
    struct sca_chunk chunk;
    int status;
    uint32_t chunks = 0;
    for (;; chunks++) {
        sca_progress(path, file->position, file->position + sca_wire_left(file));
        status = sca_store_next(path, file, &chunk);
        if (status != SCA_OK || chunk.tag == SCA_CHUNK_END)
            break;
        status = take_chunk(&r, &chunk);
        if (status != SCA_OK)
            break;
    }
    status = end_groups(&r, status);
    return status ? status : check_end(load, path, file, &chunk, chunks);
}

static int read_store(struct sca_load *load, const char *path, struct sca_reader *file)
{
    uint32_t nranks = 0;
    int status = sca_store_open(path, file, &nranks);
    if (status == SCA_OK && (!nranks || nranks > SCA_MAX_RANKS))
        status = damaged(path, 12, "an impossible number of ranks");
    if (status == SCA_OK)
        status = sca_profile_load_ranks(load, nranks);
    if (status == SCA_OK)
        status = read_chunks(load, path, file);
    return status;
}

int sca_load_store(struct sca_load *load, const char *path)
{
    struct sca_file file;
    struct sca_reader reader;
    int status = sca_part_map(path, &file);
    if (status < 0)
        return status;
    sca_wire_reader_init(&reader, file.bytes, file.length);
    status = read_store(load, path, &reader);
    sca_part_unmap(&file);
    return status;
}
