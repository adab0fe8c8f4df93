#include "follow/snapshot.h"
#include "sca_error.h"
#include "sca_part.h"
#include "sca_words.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int no(const char *path)
{
    return sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
}

static bool write_at(int fd, const void *bytes, size_t n, uint64_t offset)
{
    const char *at = bytes;
    while (n) {
        ssize_t put = pwrite(fd, at, n, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        n -= (size_t)put;
        offset += (uint64_t)put;
    }
    return true;
}

struct copying {
    int fd;
    const uint8_t *from;
    size_t length;
};

static bool copy_table(const struct copying *c, uint64_t offset, uint64_t bytes)
{
    if (!bytes)
        return true;
    if (offset > c->length || bytes > c->length - offset) {
        errno = EBADMSG;
        return false;
    }
    return write_at(c->fd, c->from + offset, bytes, offset);
}

/* Parts of earlier releases have none. */
static bool copy_durations(const struct copying *c, const struct sca_part_header *h)
{
    bool done = true;
    for (int i = 0; done && h->header_size == sizeof *h && i < SCA_TIMED_COUNT; i++) {
        const struct sca_part_directory *d = &h->timed.of[i];
        done = copy_table(c, d->offset, (uint64_t)d->stride * d->count);
    }
    return done;
}

static bool copy_series(const struct copying *c, const struct sca_part_header *h)
{
    const struct sca_part_series *s = &h->series;
    if (h->header_size < SCA_PART_HEADER_6 || !s->offset || s->sources > SCA_SERIES_SOURCES)
        return true;
    bool done = true;
    uint64_t source = (uint64_t)SCA_SERIES_MARKS * s->stride;
    for (uint32_t i = 0; done && i < s->sources; i++) {
        uint32_t n = s->count[i] < SCA_SERIES_MARKS ? s->count[i] : SCA_SERIES_MARKS;
        done = copy_table(c, s->offset + i * source, (uint64_t)n * s->stride);
    }
    uint64_t n = s->nphases < SCA_SERIES_PHASES ? s->nphases : SCA_SERIES_PHASES;
    return done &&
           copy_table(c, s->offset + s->sources * source, n * sizeof(struct sca_part_phase));
}

/* The counts as they are now: what is added while it is copied does not belong to it. */
static bool copy_tables(int fd, const uint8_t *from, size_t length)
{
    struct sca_part_header h;
    memcpy(&h, from, sizeof h);
    h.state = h.state == SCA_RUNNING ? SCA_SNAPSHOT : h.state;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    const struct copying c = {fd, from, length};
    bool done = true;
    for (int i = 0; done && i < SCA_T_COUNT; i++)
        done = copy_table(&c, h.table[i].offset, (uint64_t)h.table[i].stride * h.table[i].count);
    return done && copy_durations(&c, &h) && copy_series(&c, &h) && write_at(fd, &h, sizeof h, 0) &&
           !ftruncate(fd, (off_t)length);
}

static int copy_mapped(const char *path, const uint8_t *from, size_t length, const char *to)
{
    if (length < sizeof(struct sca_part_header) ||
        memcmp(from, SCA_PART_MAGIC, sizeof SCA_PART_MAGIC))
        return sca_fail(SCA_EFORMAT, "%s: not the live state of a rank", path);
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return no(to);
    int status = copy_tables(fd, from, length) ? SCA_OK : no(to);
    if (close(fd) && status == SCA_OK)
        status = no(to);
    return status;
}

static int copy_part(const char *path, const char *to)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return no(path);
    void *from = fstat(fd, &st) || !st.st_size
                     ? MAP_FAILED
                     : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    int status = from == MAP_FAILED ? no(path) : copy_mapped(path, from, (size_t)st.st_size, to);
    if (from != MAP_FAILED)
        munmap(from, (size_t)st.st_size);
    close(fd);
    return status;
}

static bool is_part(const char *name)
{
    return !fnmatch("rank-*.part", name, 0);
}

static int copy_all(const char *run, const char *folder)
{
    int status = SCA_OK;
    unsigned parts = 0;
    DIR *dir = opendir(run);
    if (!dir)
        return no(run);
    for (struct dirent *entry; status == SCA_OK && (entry = readdir(dir));) {
        if (!is_part(entry->d_name))
            continue;
        char *from = sca_words_format("%s/%s", run, entry->d_name);
        char *to = sca_words_format("%s/%s", folder, entry->d_name);
        status = copy_part(from, to);
        parts++;
        free(from);
        free(to);
    }
    closedir(dir);
    if (status == SCA_OK && !parts)
        status =
            sca_fail(SCA_ENOTFOUND, "%s: nothing runs there any more: it is no live state", run);
    return status;
}

static void take_back(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (is_part(entry->d_name))
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(folder);
}

int sca_snapshot_take(const char *run, const char *folder)
{
    char message[512];
    if (mkdir(folder, 0777))
        return no(folder);
    int status = copy_all(run, folder);
    if (status != SCA_OK) {
        snprintf(message, sizeof message, "%s", sca_error_message());
        take_back(folder);
        sca_fail(status, "%s", message);
    }
    return status;
}
