#include "profile/load_group.h"
#include "sca_error.h"
#include "profile/planes.h"
#include "profile/totals_columns.h"
#include "profile/store.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORTH_A_THREAD = 256 << 10 }; /* bytes */

static int damaged(const struct sca_group *g, const char *what)
{
    return sca_fail(SCA_EFORMAT, "%s: byte %zu: %s", g->path, g->chunk.at, what);
}

static int no_memory(const struct sca_group *g)
{
    return sca_fail(SCA_ENOMEM, "%s: out of memory", g->path);
}

/* One section of n ranks, their spans SCA_SECTIONS apart. */
static void read_by_rank(struct sca_reader *r, uint32_t n, struct sca_span *spans)
{
    for (uint32_t i = 0; i < n; i++)
        spans[(size_t)i * SCA_SECTIONS].length = (size_t)sca_wire_get_varint(r);
    for (uint32_t i = 0; i < n; i++) {
        struct sca_span *span = &spans[(size_t)i * SCA_SECTIONS];
        span->bytes = sca_wire_get_bytes(r, span->length);
    }
}

/* Before version 7 each length stood in front of its bytes. */
static void read_as_sent(struct sca_reader *r, uint32_t n, struct sca_span *spans)
{
    for (uint32_t i = 0; i < n; i++) {
        struct sca_span *span = &spans[(size_t)i * SCA_SECTIONS];
        span->bytes = (const uint8_t *)sca_wire_get_string(r, &span->length);
    }
}

/* The header is; durations and rows are not. */
static bool is_of_totals(uint32_t section)
{
    return !section || (section <= SCA_COLUMNS && sca_totals_column(section - 1));
}

/* Turns the group round again: span [rank][section]. Planes are put together at `numbers`, which
 * has room for all that the reader has. */
static int read_spans(struct sca_reader *r, const struct sca_group *g, uint64_t sections,
                      struct sca_span *spans, uint8_t *numbers)
{
    bool formed = sections == SCA_SECTIONS;
    uint32_t n = g->count;
    for (uint32_t section = 0; section < sections && !r->failed; section++) {
        uint8_t form = formed ? sca_wire_get_u8(r) : SCA_FORM_BYTES;
        if (form > SCA_FORM_PLANES)
            return 0;
        if (form == SCA_FORM_PLANES && g->totals && !is_of_totals(section))
            sca_planes_skip(r, spans + section, SCA_SECTIONS, n);
        else if (form == SCA_FORM_PLANES)
            numbers += sca_planes_get(r, numbers, spans + section, SCA_SECTIONS, n);
        else if (formed)
            read_by_rank(r, n, spans + section);
        else
            read_as_sent(r, n, spans + section);
    }
    return !r->failed && !sca_wire_left(r);
}

static int decode_ranks(struct sca_group *g, const struct sca_span *spans)
{
    g->tables = sca_region_array(&g->region, g->count, sizeof *g->tables);
    if (!g->tables)
        return no_memory(g);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct sca_span *of = spans + (size_t)i * SCA_SECTIONS;
        const struct sca_image_before before = {i ? of - SCA_SECTIONS : NULL,
                                                i ? &g->tables[i - 1] : NULL};
        const char *wrong =
            g->totals ? sca_image_decode_totals(of, i ? &before : NULL, &g->region, &g->tables[i])
                      : sca_image_decode(of, &g->region, &g->tables[i]);
        if (wrong)
            return sca_fail(SCA_EFORMAT, "%s: rank %u in the chunk at byte %zu: %s", g->path,
                            g->first + i, g->chunk.at, wrong);
    }
    return SCA_OK;
}

static int decode_images(struct sca_group *g, struct sca_reader *r, uint64_t sections)
{
    struct sca_span *spans = calloc((size_t)g->count * SCA_SECTIONS, sizeof *spans);
    uint8_t *numbers = malloc(sca_wire_left(r) + 1);
    int status = !spans || !numbers ? no_memory(g)
                 : read_spans(r, g, sections, spans, numbers)
                     ? decode_ranks(g, spans)
                     : damaged(g, "images that do not fill their chunk");
    free(numbers);
    free(spans);
    return status;
}

static int decode_group(struct sca_group *g, const uint8_t *raw)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, raw, (size_t)g->chunk.raw_length);
    uint64_t first = sca_wire_get_varint(&r);
    size_t n = sca_wire_get_count(&r, SCA_LEAST_SECTIONS);
    if (r.failed || !n || first >= g->nranks || n > g->nranks - first)
        return damaged(g, "ranks outside the run");
    uint64_t sections = sca_wire_get_varint(&r);
    if (sections < SCA_LEAST_SECTIONS ||
        (sections > SCA_FIRST_ROWS && sections != SCA_SECTIONS)) /* both rows, or none */
        return damaged(g, "images of another shape");
    g->first = (uint32_t)first;
    g->count = (uint32_t)n;
    return decode_images(g, &r, sections);
}

static void *decode(void *argument)
{
    struct sca_group *g = argument;
    uint8_t *raw = malloc((size_t)g->chunk.raw_length + 1);
    g->status = raw ? sca_store_unpack(g->path, &g->chunk, raw) : no_memory(g);
    if (g->status == SCA_OK)
        g->status = decode_group(g, raw);
    if (g->status < 0) /* messages are kept per thread */
        snprintf(g->message, sizeof g->message, "%s", sca_error_message());
    free(raw);
    return NULL;
}

void sca_load_group_begin(struct sca_group *group, const char *path, const struct sca_chunk *chunk,
                          uint32_t nranks, bool totals)
{
    *group = (struct sca_group){.path = path, .chunk = *chunk, .nranks = nranks, .totals = totals};
    group->by_thread =
        chunk->raw_length >= WORTH_A_THREAD && !pthread_create(&group->thread, NULL, decode, group);
    if (!group->by_thread)
        decode(group);
}

int sca_load_group_finish(struct sca_group *group)
{
    if (group->by_thread)
        pthread_join(group->thread, NULL);
    group->by_thread = false;
    return group->status < 0 ? sca_fail(group->status, "%s", group->message) : SCA_OK;
}

void sca_load_group_free(struct sca_group *group)
{
    sca_region_free(&group->region);
}
