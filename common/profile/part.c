/* The view of a .part file: what a rank left that did not get to write its image. */
#include "profile/image.h"
#include "profile/moment.h"
#include "sca_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OLDEST = 4, WITHOUT_SERIES = 5, WITHOUT_DURATIONS = 6 };

int sca_part_map(const char *path, struct sca_file *out)
{
    struct stat st;
    *out = (struct sca_file){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, not waited for */
    if (fd < 0)
        return sca_fail(errno == ENOENT || errno == ENOTDIR ? SCA_ENOTFOUND : SCA_EIO, "%s: %s",
                        path, strerror(errno));
    int error = fstat(fd, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (!error && !S_ISREG(st.st_mode)) {
        close(fd);
        return sca_fail(SCA_EIO, "%s: not a regular file", path);
    }
    if (!error && st.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            error = errno;
        else
            *out = (struct sca_file){bytes, (size_t)st.st_size};
    }
    close(fd);
    return error ? sca_fail(SCA_EIO, "%s: %s", path, strerror(error)) : SCA_OK;
}

void sca_part_unmap(struct sca_file *file)
{
    if (file->bytes)
        munmap((void *)file->bytes, file->length);
    *file = (struct sca_file){0};
}

static int damaged(const char *path, size_t offset, const char *what)
{
    return sca_fail(SCA_EFORMAT, "%s: byte %zu: %s", path, offset, what);
}

static size_t header_size(uint32_t version)
{
    return version == OLDEST              ? SCA_PART_HEADER_4
           : version == WITHOUT_SERIES    ? SCA_PART_HEADER_5
           : version == WITHOUT_DURATIONS ? SCA_PART_HEADER_6
                                          : sizeof(struct sca_part_header);
}

static int check_header(const char *path, const struct sca_file *file,
                        const struct sca_part_header *h)
{
    if (memcmp(h->magic, SCA_PART_MAGIC, sizeof h->magic))
        return damaged(path, 0, "not the live state of a rank");
    if ((h->version > SCA_PART_VERSION || h->version < OLDEST))
        return sca_fail(SCA_EVERSION, "%s: version %u, this release reads %u", path, h->version,
                        SCA_PART_VERSION);
    if (h->header_size != header_size(h->version) || file->length < h->header_size)
        return damaged(path, offsetof(struct sca_part_header, version), "a header of no version");
    for (int i = 0; i < SCA_T_COUNT; i++) {
        const struct sca_part_directory *d = &h->table[i];
        size_t at = offsetof(struct sca_part_header, table) + (size_t)i * sizeof *d;
        if (d->stride != sca_table_stride[i])
            return damaged(path, at, "a table with records of the wrong size");
        if (d->offset % 8 || d->offset > file->length ||
            d->count > (file->length - d->offset) / d->stride)
            return damaged(path, at, "a table that reaches beyond the end of the file");
    }
    return SCA_OK;
}

/* The marks themselves are looked at one by one (series_choose.c). */
static const void *series_of(const struct sca_file *file, const struct sca_part_header *h)
{
    const struct sca_part_series *s = &h->series;
    size_t bytes = (size_t)SCA_SERIES_SOURCES * SCA_SERIES_MARKS * sizeof(struct sca_part_mark);
    bool there = h->version > WITHOUT_SERIES && s->offset && !(s->offset % 8) &&
                 s->stride == sizeof(struct sca_part_mark) && s->sources == SCA_SERIES_SOURCES;
    return there && s->offset <= file->length && file->length - s->offset >= bytes
               ? file->bytes + s->offset
               : NULL;
}

/* Behind the marks; parts of earlier releases have none. Each phase is behind the one that holds
 * it.
 */
static const struct sca_part_phase *phases_of(const struct sca_file *file, struct sca_tables *t)
{
    uint32_t n = t->header.series.nphases;
    size_t before = (size_t)SCA_SERIES_SOURCES * SCA_SERIES_MARKS * sizeof(struct sca_part_mark);
    size_t from = t->header.series.offset + before;
    t->nphases = 0;
    if (!t->series || !n || n > SCA_SERIES_PHASES ||
        (file->length - from) / sizeof(struct sca_part_phase) < n)
        return NULL;
    const struct sca_part_phase *list = (const void *)(file->bytes + from);
    for (uint32_t i = 0; i < n; i++)
        if (list[i].parent > i || list[i].name >= t->header.table[SCA_T_STRINGS].count)
            return NULL;
    t->nphases = n;
    return list;
}

/* Of no older release, and of no copy for another host. */
static struct sca_tables_durations
durations_of(const struct sca_file *file, const struct sca_part_header *h, enum sca_timed timed)
{
    const struct sca_part_directory *d = &h->timed.of[timed];
    uint32_t records = h->table[timed == SCA_TIMED_SITES ? SCA_T_SITES : SCA_T_INTERVALS].count;
    uint32_t n = d->count < records ? d->count : records;
    bool there = h->version > WITHOUT_DURATIONS && d->offset && !(d->offset % 8) &&
                 d->stride == sizeof(struct sca_part_durations) && d->offset <= file->length &&
                 (file->length - d->offset) / d->stride >= n;
    return there ? (struct sca_tables_durations){.live = (const void *)(file->bytes + d->offset),
                                                 .n = n}
                 : (struct sca_tables_durations){0};
}

int sca_part_view(const char *path, const struct sca_file *file, struct sca_tables *out)
{
    struct sca_part_header *h = &out->header;
    if (file->length < SCA_PART_HEADER_4)
        return damaged(path, file->length, "ends within the header");
    *h = (struct sca_part_header){0};
    memcpy(h, file->bytes, SCA_PART_HEADER_4);
    int status = check_header(path, file, h);
    if (status < 0)
        return status;
    if (h->version != OLDEST) /* what they refer to is in the tables as these are counted again */
        sca_moment_read_header((const struct sca_part_header *)(const void *)file->bytes,
                               h->header_size, h);
    status = check_header(path, file, h);
    if (status < 0)
        return status;
    for (int i = 0; i < SCA_T_COUNT; i++)
        out->record[i] = file->bytes + h->table[i].offset;
    out->series = series_of(file, h);
    for (int i = 0; i < SCA_TIMED_COUNT; i++)
        out->durations[i] = durations_of(file, h, (enum sca_timed)i);
    struct sca_fault fault = sca_tables_check(out);
    if (!fault.what) { /* strings end within their table */
        out->phases = phases_of(file, out);
        return SCA_OK;
    }
    size_t at = 0;
    if (fault.table < SCA_T_COUNT)
        at = h->table[fault.table].offset + (size_t)fault.index * sca_table_stride[fault.table];
    return damaged(path, at, fault.what);
}
