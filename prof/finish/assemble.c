#include "finish/assemble.h"
#include "arena/arena.h"
#include "finish/gather_series.h"
#include "finish/keep.h"
#include "finish/post.h"
#include "finish/stream.h"
#include "profile/tables.h"

#include <sys/mman.h>

/* The images of one group; rank 0's own lies elsewhere. No image is shorter than its sections'
 * lengths. */
enum { MOST_IMAGES = SCA_STORE_GROUP / SCA_SECTIONS + 1 };

struct group {
    uint8_t *bytes;
    size_t room, used, total;
    struct sca_store_image *images;
    uint32_t first, n;
    struct sca_gathered_series *series;
};

static void *map(void *old, size_t old_length, size_t length)
{
    if (old)
        munmap(old, old_length);
    return length ? sca_scratch(length) : NULL;
}

enum piece { BEGINNING, GROUP, END };

static void put(enum piece piece, struct sca_writer *out, const struct group *g, uint32_t number,
                void *scratch, size_t room)
{
    if (piece == BEGINNING)
        sca_store_begin(out, number, sca_arena_table(SCA_T_META), sca_arena_count(SCA_T_META),
                        scratch, room);
    else if (piece == GROUP)
        sca_store_group(out, g->images, g->first, g->n, scratch, room);
    else
        sca_store_end(out, number, scratch, room);
}

/* Packs a piece and appends it to the file; false without memory for that. */
static bool append(enum piece piece, const struct group *g, uint32_t number,
                   struct sca_profile_file *file)
{
    size_t bound = sca_store_bound(g->total, g->n, sca_arena_count(SCA_T_META));
    size_t room = sca_store_scratch(g->total, g->n);
    void *bytes = sca_scratch(bound), *scratch = sca_scratch(room);
    struct sca_writer out;
    sca_wire_writer_init(&out, bytes, bytes ? bound : 0);
    if (bytes && scratch)
        put(piece, &out, g, number, scratch, room);
    bool done = bytes && scratch && !out.failed;
    if (done)
        sca_profile_file_append(file, bytes, out.length);
    map(bytes, bound, 0);
    map(scratch, room, 0);
    return done;
}

static void start_group(struct group *g, uint32_t first)
{
    g->first = first;
    g->n = 0;
    g->used = g->total = 0;
}

static bool is_full(const struct group *g, size_t length)
{
    return g->n && (g->n == MOST_IMAGES || g->total + length >= SCA_STORE_GROUP);
}

static bool make_room(struct group *g, size_t length)
{
    if (length <= g->room - g->used)
        return true;
    g->bytes = map(g->bytes, g->room, length); /* an image that is a group by itself */
    g->room = g->bytes ? length : 0;
    return g->bytes;
}

/* What a rank sends is its image, its series, and how long that is. */
static void add(struct group *g, const void *bytes, size_t length)
{
    length = sca_gathered_series_add(g->series, g->first + g->n, bytes, length);
    g->images[g->n++] = (struct sca_store_image){bytes, length};
    g->total += length;
}

/* The next rank's image from the stream. */
static enum sca_assembly take_image(struct group *g, uint64_t length, uint32_t *missing)
{
    if (!make_room(g, length))
        return SCA_ASSEMBLE_MEMORY;
    *missing = sca_stream_read(g->bytes + g->used, length);
    if (*missing != SCA_NONE)
        return SCA_ASSEMBLE_SILENCE;
    add(g, g->bytes + g->used, length);
    g->used += length;
    return SCA_ASSEMBLED;
}

/* The last group's memory is given back before more is taken. */
static bool append_last(struct group *g, uint32_t groups, struct sca_profile_file *file)
{
    if (!append(GROUP, g, 0, file))
        return false;
    g->bytes = map(g->bytes, g->room, 0);
    start_group(g, 0);
    groups += sca_gathered_series_append(g->series, file);
    return append(END, g, groups + sca_keep(file), file);
}

static enum sca_assembly take_all(struct group *g, uint32_t ranks, struct sca_profile_file *file,
                                  uint32_t *missing)
{
    enum sca_assembly result = SCA_ASSEMBLED;
    uint32_t groups = 1;
    for (uint32_t rank = 1; rank < ranks && result == SCA_ASSEMBLED; rank++) {
        uint64_t length;
        *missing = sca_stream_read(&length, sizeof length);
        if (*missing != SCA_NONE)
            return SCA_ASSEMBLE_SILENCE;
        if (is_full(g, length)) {
            if (!append(GROUP, g, 0, file))
                return SCA_ASSEMBLE_MEMORY;
            start_group(g, rank);
            groups++;
        }
        result = take_image(g, length, missing);
    }
    if (result == SCA_ASSEMBLED && !append_last(g, groups, file))
        result = SCA_ASSEMBLE_MEMORY;
    return result;
}

enum sca_assembly sca_assemble(const struct sca_store_image *own, uint32_t ranks,
                               struct sca_profile_file *file, uint32_t *missing)
{
    struct sca_gathered_series series;
    struct group g = {.room = SCA_STORE_GROUP, .series = &series};
    enum sca_assembly result = SCA_ASSEMBLE_MEMORY;
    size_t table = MOST_IMAGES * sizeof *g.images;
    g.bytes = map(NULL, 0, g.room);
    g.images = map(NULL, 0, table);
    *missing = SCA_NONE;
    sca_gathered_series_begin(&series, ranks);
    if (g.bytes && g.images && append(BEGINNING, &g, ranks, file)) {
        add(&g, own->bytes, own->length);
        result = take_all(&g, ranks, file, missing);
    }
    sca_stream_drain();
    sca_gathered_series_end(&series);
    map(g.bytes, g.room, 0);
    map(g.images, table, 0);
    return result;
}

uint32_t sca_assemble_send(const struct sca_store_image *own)
{
    const uint64_t length = own->length;
    return sca_stream_send(&length, own->bytes);
}
