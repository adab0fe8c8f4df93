#include "windows/window_space.h"
#include "arena/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    RUN_OF_FEW = 128 << 10,  /* bytes of each rank */
    RUN_OF_MANY = 128 << 10, /* of all together; in between, ever fewer in all */
    EQUAL = 32,              /* so many ranks have RUN_OF_MANY */
    LEAST = 1 << 10          /* of each rank */
};

struct hole {
    uint32_t offset, size;
};

static struct hole holes[SCA_MOST_RECORDS + 2]; /* sorted */
static unsigned nholes;

static struct sca_part_window *windows(void)
{
    return sca_arena_table(SCA_T_WINDOWS);
}

uint64_t sca_window_space_of(uint32_t ranks)
{
    uint64_t few = (uint64_t)ranks * RUN_OF_FEW, between = (uint64_t)EQUAL * RUN_OF_MANY / ranks;
    uint64_t least = ranks > RUN_OF_MANY / LEAST ? (uint64_t)ranks * LEAST : RUN_OF_MANY;
    uint64_t most = few < between ? few : between;
    return most > least ? most : least;
}

void sca_window_space_begin(void)
{
    nholes = 0;
}

static void remove_hole(unsigned i)
{
    memmove(&holes[i], &holes[i + 1], (--nholes - i) * sizeof *holes);
}

/* Sorted, and neighbours made one. */
static void add_hole(uint32_t offset, uint32_t size)
{
    unsigned i = 0;
    while (i < nholes && holes[i].offset < offset)
        i++;
    memmove(&holes[i + 1], &holes[i], (nholes - i) * sizeof *holes);
    holes[i] = (struct hole){offset, size};
    nholes++;
    if (i + 1 < nholes && offset + size == holes[i + 1].offset) {
        holes[i].size += holes[i + 1].size;
        remove_hole(i + 1);
    }
    if (i && holes[i - 1].offset + holes[i - 1].size == offset) {
        holes[i - 1].size += holes[i].size;
        remove_hole(i);
    }
}

void sca_window_space_free(uint32_t offset, uint32_t size)
{
    if (!size)
        return;
    memset((uint8_t *)sca_arena_table(SCA_T_EVENTS) + offset, 0, size);
    add_hole(offset, size);
}

uint32_t sca_window_space_take(const void *events, uint32_t size)
{
    if (!size)
        return 0;
    for (unsigned i = 0; i < nholes; i++) {
        if (holes[i].size < size)
            continue;
        uint32_t offset = holes[i].offset;
        memcpy((uint8_t *)sca_arena_table(SCA_T_EVENTS) + offset, events, size);
        holes[i].offset += size;
        holes[i].size -= size;
        if (!holes[i].size)
            remove_hole(i);
        return offset;
    }
    const struct sca_part_directory *d = &sca_arena_header()->table[SCA_T_EVENTS];
    return d->capacity - d->count < size ? SCA_NONE : sca_arena_bytes(SCA_T_EVENTS, events, size);
}

static int by_iteration(const void *a, const void *b)
{
    const struct sca_part_window *x = a, *y = b;
    return (x->iteration > y->iteration) - (x->iteration < y->iteration);
}

static int by_offset(const void *a, const void *b)
{
    const struct sca_part_window *x = a, *y = b;
    return (x->events_offset > y->events_offset) - (x->events_offset < y->events_offset);
}

void sca_window_space_compact(void)
{
    struct sca_part_header *header = sca_arena_header();
    uint8_t *bytes = sca_arena_table(SCA_T_EVENTS);
    uint32_t count = sca_arena_count(SCA_T_WINDOWS), kept = 0, end = 0;
    for (uint32_t i = 0; i < count; i++)
        if (windows()[i].kept)
            windows()[kept++] = windows()[i];
    qsort(windows(), kept, sizeof *windows(), by_offset);
    for (uint32_t i = 0; i < kept; i++) {
        struct sca_part_window *w = &windows()[i];
        memmove(bytes + end, bytes + w->events_offset, w->events_size);
        w->events_offset = end;
        end += w->events_size;
    }
    header->table[SCA_T_WINDOWS].count = kept;
    header->table[SCA_T_EVENTS].count = end;
    nholes = 0;
}

void sca_window_space_order(void)
{
    uint8_t *bytes = sca_arena_table(SCA_T_EVENTS);
    uint32_t count = sca_arena_count(SCA_T_WINDOWS), end = 0;
    size_t length = sca_arena_count(SCA_T_EVENTS);
    uint8_t *copy =
        length ? mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
               : MAP_FAILED;
    if (copy == MAP_FAILED)
        return;
    memcpy(copy, bytes, length);
    qsort(windows(), count, sizeof *windows(), by_iteration);
    for (uint32_t i = 0; i < count; i++) {
        struct sca_part_window *w = &windows()[i];
        memcpy(bytes + end, copy + w->events_offset, w->events_size);
        w->events_offset = end;
        end += w->events_size;
    }
    munmap(copy, length);
}
