#include "finish/gather_series.h"
#include "arena/arena.h"
#include "finish/post.h"
#include "profile/store.h"
#include "series/series.h"

#include <string.h>
#include <sys/mman.h>

enum { TAIL = 4 /* bytes of the length */ };

void sca_gathered_series_put(struct sca_writer *w)
{
    const struct sca_part_header *h = sca_arena_header();
    size_t before = w->length;
    const uint8_t *base = (const uint8_t *)h;
    if (h->series.offset) {
        struct sca_series_marks own = sca_series_choose(&h->series, base + h->series.offset);
        own.events = own.n ? sca_series_counted(own.source) : NULL;
        own.nmetrics = h->nmetrics;
        const struct sca_phases phases = {sca_arena_phases(), h->series.nphases,
                                          sca_arena_table(SCA_T_STRINGS)};
        sca_series_put(w, &own, sca_series_most(h->size), &phases);
    }
    sca_wire_put_u32(w, (uint32_t)(w->length - before));
}

static void *map(void *context, size_t bytes)
{
    struct sca_gathered_series *all = context;
    void *memory = all->nblocks < SCA_SERIES_BLOCKS ? sca_scratch(bytes) : NULL;
    if (!memory)
        return NULL;
    all->block[all->nblocks].memory = memory;
    all->block[all->nblocks++].bytes = bytes;
    return memory;
}

void sca_gathered_series_begin(struct sca_gathered_series *all, uint32_t nranks)
{
    all->nblocks = 0;
    all->on =
        sca_arena_header()->series.offset && sca_series_sum_begin(&all->sum, nranks, map, all);
}

size_t sca_gathered_series_add(struct sca_gathered_series *all, uint32_t rank, const void *bytes,
                               size_t length)
{
    struct sca_reader r;
    if (length < TAIL)
        return length;
    const uint8_t *end = (const uint8_t *)bytes + length - TAIL;
    sca_wire_reader_init(&r, end, TAIL);
    size_t own = sca_wire_get_u32(&r);
    if (own > length - TAIL)
        return length;
    if (all->on)
        sca_series_sum_add(&all->sum, rank, end - own, own);
    return length - TAIL - own;
}

static bool append(const struct sca_writer *content, struct sca_profile_file *file)
{
    size_t scratch_size = sca_store_scratch(0, 0), room = content->length + SCA_CHUNK_HEADER;
    void *scratch = sca_scratch(scratch_size), *packed = sca_scratch(room);
    struct sca_writer out;
    sca_wire_writer_init(&out, packed, packed ? room : 0);
    if (scratch && packed)
        sca_store_series(&out, content->data, content->length, scratch, scratch_size);
    bool done =
        scratch && packed && !out.failed && sca_profile_file_try(file, out.data, out.length);
    if (scratch)
        munmap(scratch, scratch_size);
    if (packed)
        munmap(packed, room);
    return done;
}

uint32_t sca_gathered_series_append(struct sca_gathered_series *all, struct sca_profile_file *file)
{
    struct sca_writer w;
    size_t size = all->on ? sca_series_sum_size(&all->sum) : 0;
    uint8_t *bytes = size ? sca_scratch(size) : NULL;
    if (!bytes)
        return 0;
    sca_wire_writer_init(&w, bytes, size);
    sca_series_sum_put(&all->sum, &w);
    bool done = w.length && !w.failed && append(&w, file);
    munmap(bytes, size);
    return done;
}

void sca_gathered_series_end(struct sca_gathered_series *all)
{
    for (unsigned i = 0; i < all->nblocks; i++)
        munmap(all->block[i].memory, all->block[i].bytes);
    all->nblocks = 0;
}
