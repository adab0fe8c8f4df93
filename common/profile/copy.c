/* Copies of parts: taken of one of this host, and written as one. */
#include "profile/alive.h"
#include "profile/copy_memory.h"
#include "profile/image.h"
#include "profile/polls.h"
#include "sca_copy.h"
#include "sca_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- taken ---- */

/* Only what a reader asks for: the one of two instants that counts, and whether detail is of this
 * turn. So nothing changes while a rank stays where it is. */
static void settle_present(struct sca_part_present *p, uint64_t now_ns)
{
    sca_polls_settle(p, now_ns);
    bool inside = p->turn & 1, detailed = inside && p->detail == p->turn;
    bool locked = p->thread && !inside && p->detail == (p->turn | SCA_PRESENT_LOCK);
    struct sca_part_lock_wait lock = p->lock;
    uint64_t since = inside ? p->enter_ns : p->exit_ns == UINT64_MAX ? now_ns : p->exit_ns;
    uint32_t site = inside ? p->site : p->left;
    if (!p->thread)
        since = site = 0;
    p->turn = inside;
    p->detail = detailed ? inside : UINT64_MAX;
    p->enter_ns = p->exit_ns = since;
    p->site = p->left = site;
    uint32_t n = detailed ? p->nawaited & ~(SCA_PRESENT_ANY | SCA_PRESENT_POLLS) : 0;
    p->polls_ns = 0;
    p->nawaited = detailed ? p->nawaited : 0;
    for (uint32_t i = n; i < SCA_PRESENT_AWAITED; i++)
        p->awaited[i] = (struct sca_part_awaited){0};
    if (!locked)
        return;
    p->detail = SCA_PRESENT_LOCK;
    p->nawaited = sizeof lock / sizeof *p->awaited; /* so much of it is passed on */
    p->lock = lock;
}

/* Who is there gives a sign of life now. */
static void settle(struct sca_copy *copy)
{
    struct sca_part_header *h = &copy->header;
    uint64_t now = 0;
    enum sca_alive alive = h->process ? sca_alive_look(h, &now) : SCA_ALIVE_UNKNOWN;
    copy->identity = (h->process_start * 0x9e3779b97f4a7c15u ^ h->process ^ h->init_ns) | 1;
    if (alive == SCA_ALIVE)
        h->last_ns = h->seen_ns = now;
    if (h->process)
        h->process = (uint32_t)(alive == SCA_ALIVE  ? SCA_OBSERVED_ALIVE
                                : alive == SCA_DEAD ? SCA_OBSERVED_GONE
                                                    : SCA_OBSERVED_UNKNOWN);
    h->process_start = now;
    h->series = (struct sca_part_series){0};
    h->timed = (struct sca_part_timed){0};
    for (int i = 0; i < SCA_PRESENT_THREADS; i++)
        settle_present(&h->present[i], now);
}

static int copy_records(const struct sca_tables *t, struct sca_copy *out)
{
    for (int i = 0; i < SCA_T_COUNT; i++) {
        uint32_t n = t->header.table[i].count;
        if (!sca_copy_make_room(out, i, n))
            return sca_fail(SCA_ENOMEM, "out of memory");
        if (n)
            memcpy(out->record[i], t->record[i], (size_t)n * sca_table_stride[i]);
    }
    return SCA_OK;
}

int sca_copy_take(const char *path, bool series, struct sca_copy *out)
{
    struct sca_file file;
    struct sca_tables tables;
    *out = (struct sca_copy){0};
    int status = sca_part_map(path, &file);
    if (status == SCA_OK)
        status = sca_part_view(path, &file, &tables);
    if (status == SCA_OK) {
        out->rank = tables.header.rank;
        out->header = tables.header;
        status = copy_records(&tables, out);
    }
    if (status == SCA_OK && series && !sca_copy_series_take(&tables, out))
        status = sca_fail(SCA_ENOMEM, "out of memory");
    sca_part_unmap(&file);
    if (status == SCA_OK)
        settle(out);
    else
        sca_copy_free(out);
    return status;
}

/* ---- written ---- */

static bool write_all(int fd, const void *bytes, size_t n)
{
    for (const char *at = bytes; n;) {
        ssize_t put = write(fd, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

static size_t whole_words(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static bool write_tables(int fd, const struct sca_copy *copy)
{
    static const uint8_t zeros[8];
    for (int i = 0; i < SCA_T_COUNT; i++) {
        size_t bytes = (size_t)copy->header.table[i].count * sca_table_stride[i];
        if (!write_all(fd, copy->record[i], bytes) ||
            !write_all(fd, zeros, whole_words(bytes) - bytes))
            return false;
    }
    return true;
}

static bool write_at(int fd, const void *bytes, size_t n, uint64_t offset)
{
    return lseek(fd, (off_t)offset, SEEK_SET) >= 0 && write_all(fd, bytes, n);
}

/* Where the runtime has them, with holes in between. */
static bool write_series(int fd, const struct sca_part_series *h, const struct sca_copy_series *s)
{
    uint64_t source = (uint64_t)SCA_SERIES_MARKS * h->stride;
    uint64_t phases = h->offset + source * h->sources;
    return !h->offset ||
           (write_at(fd, s->marks, s->nmarks * sizeof *s->marks, h->offset + source * s->source) &&
            write_at(fd, s->phases, s->nphases * sizeof *s->phases, phases) &&
            !ftruncate(fd, (off_t)(phases + SCA_SERIES_PHASES * sizeof *s->phases)));
}

static void place_series(const struct sca_copy_series *s, uint64_t offset,
                         struct sca_part_series *out)
{
    *out = (struct sca_part_series){0};
    if (!s->nmarks && !s->nphases)
        return;
    out->offset = offset;
    out->stride = sizeof *s->marks;
    out->sources = SCA_SERIES_SOURCES;
    out->count[s->source] = s->nmarks;
    out->nphases = s->nphases;
}

int sca_copy_write(const struct sca_copy *copy, const char *path)
{
    struct sca_part_header h = copy->header;
    uint64_t offset = whole_words(sizeof h);
    memcpy(h.magic, SCA_PART_MAGIC, sizeof h.magic);
    h.version = SCA_PART_VERSION;
    h.header_size = sizeof h;
    h.rank = copy->rank;
    for (int i = 0; i < SCA_T_COUNT; i++) {
        h.table[i].offset = offset;
        h.table[i].stride = sca_table_stride[i];
        h.table[i].capacity = h.table[i].count;
        offset += whole_words((size_t)h.table[i].count * sca_table_stride[i]);
    }
    place_series(&copy->series, offset, &h.series);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool done = fd >= 0 && write_all(fd, &h, sizeof h) && write_tables(fd, copy) &&
                write_series(fd, &h.series, &copy->series);
    int error = errno;
    if (fd >= 0 && close(fd) && done) {
        done = false;
        error = errno;
    }
    return done ? SCA_OK : sca_fail(SCA_EIO, "%s: %s", path, strerror(error));
}

/* ---- memory ---- */

bool sca_copy_make_room(struct sca_copy *copy, int table, uint32_t n)
{
    if (n <= copy->room[table] && copy->record[table])
        return true;
    uint32_t room = n < 16 ? 16 : n > UINT32_MAX / 2 ? n : n + n / 2;
    uint8_t *larger = realloc(copy->record[table], (size_t)room * sca_table_stride[table]);
    if (!larger)
        return false;
    memset(larger + (size_t)copy->room[table] * sca_table_stride[table], 0,
           (size_t)(room - copy->room[table]) * sca_table_stride[table]);
    copy->record[table] = larger;
    copy->room[table] = room;
    return true;
}

void sca_copy_free(struct sca_copy *copy)
{
    for (int i = 0; i < SCA_T_COUNT; i++)
        free(copy->record[i]);
    sca_copy_series_drop(copy);
    *copy = (struct sca_copy){0};
}
