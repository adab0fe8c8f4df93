#include "arena/snapshot.h"
#include "arena/arena.h"
#include "base/file_limit.h"
#include "base/hot.h"
#include "base/say.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 3200 };

uint64_t sca_snapshot_due_ns SCA_HOT = UINT64_MAX;

static struct {
    char folder[PATH_ROOM]; /* RUN/snapshots */
    uint64_t interval_s, n; /* they are due at interval, 2 intervals, ... n of them are there */
    int busy;               /* a thread is at it */
} own;

void sca_snapshot_begin(const char *directory)
{
    own.interval_s = sca_settings.snapshot_s;
    own.n = 0;
    if (!own.interval_s || sca_arena_error())
        return;
    snprintf(own.folder, sizeof own.folder, "%s/snapshots", directory);
    __atomic_store_n(&sca_snapshot_due_ns,
                     sca_arena_header()->init_ns + own.interval_s * 1000000000u, __ATOMIC_RELAXED);
}

void sca_snapshot_end(void)
{
    __atomic_store_n(&sca_snapshot_due_ns, UINT64_MAX, __ATOMIC_RELAXED);
}

static void name(char *path, size_t size, uint64_t seconds, bool file)
{
    if (file)
        snprintf(path, size, "%s/%llus/rank-%u.part", own.folder, (unsigned long long)seconds,
                 sca_arena_header()->rank);
    else
        snprintf(path, size, "%s/%llus", own.folder, (unsigned long long)seconds);
}

static int write_all(int fd, const void *bytes, size_t length, uint64_t offset)
{
    const char *at = bytes;
    if (!sca_file_limit_allows(offset + length))
        return EFBIG;
    while (length) {
        ssize_t n = pwrite(fd, at, length, (off_t)offset);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n == 0)
            return ENOSPC;
        if (n > 0) {
            at += n;
            offset += (uint64_t)n;
            length -= (size_t)n;
        }
    }
    return 0;
}

static int write_table(int fd, const struct sca_part_directory *d, uint64_t *end)
{
    *end = d->offset + (uint64_t)d->stride * d->capacity;
    return write_all(fd, (const char *)sca_arena_header() + d->offset, (size_t)d->stride * d->count,
                     d->offset);
}

/* With the counts of this moment; other threads may go on adding. */
static int write_tables(int fd)
{
    struct sca_part_header h = *sca_arena_header();
    uint64_t end = 0;
    int error = 0;
    h.state = SCA_SNAPSHOT;
    for (int i = 0; !error && i < SCA_T_COUNT; i++)
        error = write_table(fd, &h.table[i], &end);
    for (int i = 0; !error && i < SCA_TIMED_COUNT; i++)
        error = write_table(fd, &h.timed.of[i], &end);
    if (!error && h.series.offset) {
        size_t bytes = (size_t)h.series.sources * SCA_SERIES_MARKS * h.series.stride +
                       SCA_SERIES_PHASES * sizeof(struct sca_part_phase);
        error = write_all(fd, (const char *)sca_arena_header() + h.series.offset, bytes,
                          h.series.offset);
        end = h.series.offset + bytes;
    }
    if (!error && ftruncate(fd, (off_t)end))
        error = errno;
    return error ? error : write_all(fd, &h, sizeof h, 0);
}

static int make_folder(const char *path)
{
    return mkdir(path, 0777) && errno != EEXIST ? errno : 0;
}

static int write_snapshot(uint64_t seconds)
{
    char folder[PATH_ROOM + 64], path[PATH_ROOM + 96];
    name(folder, sizeof folder, seconds, false);
    name(path, sizeof path, seconds, true);
    int error = make_folder(own.folder);
    if (!error)
        error = make_folder(folder);
    int fd = error ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (!error && fd < 0)
        error = errno;
    if (fd >= 0) {
        error = write_tables(fd);
        if (close(fd) && !error)
            error = errno;
        if (error)
            unlink(path);
    }
    if (error)
        rmdir(folder); /* an empty one only */
    return error;
}

/* The first, the third, ...: what is left is due at twice the interval. */
static void thin_out(void)
{
    char path[PATH_ROOM + 96];
    for (uint64_t i = 1; i <= own.n; i += 2) {
        name(path, sizeof path, i * own.interval_s, true);
        unlink(path);
        name(path, sizeof path, i * own.interval_s, false);
        rmdir(path); /* by the last rank */
    }
    own.interval_s *= 2;
    own.n /= 2;
}

static void give_up(int error)
{
    bool first = sca_arena_header()->rank == 0;
    sca_snapshot_end();
    sca_say(first ? SCA_LOG_WARN : SCA_LOG_DEBUG, "no more snapshots in %s: %s", own.folder,
            strerror(error));
}

/* A rank that was long without a call takes one, for the last time that has gone by. */
SCA_COLD void sca_snapshot_take(uint64_t now_ns)
{
    if (__atomic_exchange_n(&own.busy, 1, __ATOMIC_ACQUIRE))
        return;
    int saved = errno;
    uint64_t init_ns = sca_arena_header()->init_ns;
    uint64_t turn = (now_ns - init_ns) / 1000000000u / own.interval_s;
    if (now_ns >= sca_snapshot_due_ns && turn) {
        int error = write_snapshot(turn * own.interval_s);
        own.n = turn;
        if (own.n >= SCA_MOST_SNAPSHOTS)
            thin_out();
        __atomic_store_n(&sca_snapshot_due_ns, init_ns + (own.n + 1) * own.interval_s * 1000000000u,
                         __ATOMIC_RELAXED);
        if (error)
            give_up(error);
    }
    errno = saved;
    __atomic_store_n(&own.busy, 0, __ATOMIC_RELEASE);
}
