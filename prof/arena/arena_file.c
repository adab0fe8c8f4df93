/* Where the arena's bytes live: layout of the file, its mapping, its disk blocks. */
#include "arena/arena.h"
#include "base/file_limit.h"
#include "base/reserve.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14; EINVAL before */
#endif

enum { PAGE = 4096, FULL_EVENTS = 1 << 30, FULL_WINDOWS = 1 << 20, MUCH = 64 };

static const struct {
    uint32_t stride, capacity;
} shapes[SCA_T_COUNT] = {
    [SCA_T_STRINGS] = {1, 512 << 10},
    [SCA_T_MODULES] = {sizeof(struct sca_part_module), 2048},
    [SCA_T_NODES] = {sizeof(struct sca_part_node), 64 << 10},
    [SCA_T_SITES] = {sizeof(struct sca_part_site), 16 << 10},
    [SCA_T_INTERVALS] = {sizeof(struct sca_part_interval), 32 << 10},
    [SCA_T_SAMPLES] = {sizeof(struct sca_part_sample), 32 << 10},
    [SCA_T_PEERS] = {sizeof(struct sca_part_peer), 32 << 10},
    [SCA_T_COLLECTIVES] = {sizeof(struct sca_part_collective), 16 << 10},
    [SCA_T_COMMS] = {sizeof(struct sca_part_comm), 4096},
    [SCA_T_MESSAGES] = {sizeof(struct sca_part_message), 16 << 10},
    [SCA_T_WINDOWS] = {sizeof(struct sca_part_window), 1024},
    [SCA_T_EVENTS] = {1, 1 << 20},
    [SCA_T_META] = {1, 64 << 10},
};

/* Full recording has room for every iteration: the file stays sparse. */
static uint32_t capacity_of(enum sca_part_table table)
{
    if (sca_settings.full && table == SCA_T_EVENTS)
        return FULL_EVENTS;
    return sca_settings.full && table == SCA_T_WINDOWS ? FULL_WINDOWS : shapes[table].capacity;
}

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

uint64_t sca_arena_file_layout(struct sca_part_directory *directory)
{
    uint64_t offset = whole_pages(sizeof(struct sca_part_header));
    for (int i = 0; i < SCA_T_COUNT; i++) {
        directory[i] = (struct sca_part_directory){
            .offset = offset, .stride = shapes[i].stride, .capacity = capacity_of(i)};
        offset += whole_pages((uint64_t)directory[i].stride * directory[i].capacity);
    }
    return offset;
}

/* Of the first sites and intervals that come: what a rank does most of the time is among them. */
uint64_t sca_arena_file_timed(struct sca_part_timed *timed, uint64_t offset)
{
    static const uint32_t capacity[] = {[SCA_TIMED_SITES] = 2048, [SCA_TIMED_INTERVALS] = 4096};
    *timed = (struct sca_part_timed){0};
    for (int i = 0; i < SCA_TIMED_COUNT; i++) {
        struct sca_part_directory *d = &timed->of[i];
        *d = (struct sca_part_directory){
            .offset = offset, .stride = sizeof(struct sca_part_durations), .capacity = capacity[i]};
        offset += whole_pages((uint64_t)d->stride * d->capacity);
    }
    return offset;
}

uint64_t sca_arena_file_series(struct sca_part_series *series, uint64_t offset)
{
    uint64_t bytes =
        (uint64_t)SCA_SERIES_SOURCES * SCA_SERIES_MARKS * sizeof(struct sca_part_mark) +
        SCA_SERIES_PHASES * sizeof(struct sca_part_phase);
    *series = (struct sca_part_series){
        .offset = offset, .stride = sizeof(struct sca_part_mark), .sources = SCA_SERIES_SOURCES};
    return offset + whole_pages(bytes);
}

/* The reservation steps open the file again by name, so the name must outlive a chdir. */
static int absolute(char *out, size_t size, const char *path)
{
    size_t n = 0;
    if (path[0] != '/') {
        if (!getcwd(out, size - 1))
            return errno;
        n = strlen(out);
        out[n++] = '/';
    }
    if (n + strlen(path) >= size)
        return ENAMETOOLONG;
    memcpy(out + n, path, strlen(path) + 1);
    return 0;
}

static int map_descriptor(struct sca_arena_map *map, int fd, uint64_t bytes)
{
    struct stat st;
    if (ftruncate(fd, (off_t)bytes) || fstat(fd, &st))
        return errno;
    map->device = st.st_dev;
    map->inode = st.st_ino;
    map->base = sca_reserve_file(fd, bytes);
    if (map->base == MAP_FAILED)
        return errno;
    /* There is nothing to read ahead in a new file, and some kernels fetch megabytes at a touch. */
    madvise(map->base, bytes, MADV_RANDOM);
    return 0;
}

/* No descriptor is kept: an application may close what it does not know, and reuse the number. */
int sca_arena_file_map(struct sca_arena_map *map, const char *path, uint64_t bytes)
{
    int error = absolute(map->path, sizeof map->path, path);
    if (!error && !sca_file_limit_allows(bytes))
        error = EFBIG;
    if (error)
        return error;
    int fd = open(map->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    error = map_descriptor(map, fd, bytes);
    close(fd);
    if (!error &&
        (error = sca_arena_file_reserve(map, 0, whole_pages(sizeof(struct sca_part_header)))))
        sca_unreserve(map->base, bytes);
    if (error)
        unlink(map->path);
    return error;
}

void sca_arena_file_remove(const struct sca_arena_map *map)
{
    if (map->path[0])
        unlink(map->path);
}

int sca_arena_file_map_anonymous(struct sca_arena_map *map, uint64_t bytes)
{
    map->path[0] = '\0';
    map->base = sca_reserve(bytes);
    return map->base ? 0 : ENOMEM;
}

/* File systems without fallocate: the range is unused, so zeros may be written over it. */
static int write_zeros(int fd, uint64_t offset, uint64_t length)
{
    static const char zeros[PAGE];
    if (!sca_file_limit_allows(offset + length))
        return EFBIG;
    while (length) {
        size_t n = length < PAGE ? (size_t)length : PAGE;
        ssize_t written = pwrite(fd, zeros, n, (off_t)offset);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written == 0)
            return ENOSPC;
        if (written > 0) {
            offset += (uint64_t)written;
            length -= (uint64_t)written;
        }
    }
    return 0;
}

static int reserve_blocks(int fd, uint64_t offset, uint64_t length)
{
    int error = 0;
    for (int tries = 0; tries < 100; tries++) { /* signals interrupt it on some file systems */
        error = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length) ? errno : 0;
        if (error != EINTR)
            break;
    }
    if (error == EOPNOTSUPP || error == ENOSYS)
        error = write_zeros(fd, offset, length);
    return error;
}

static int reserve_by_name(const struct sca_arena_map *map, uint64_t offset, uint64_t length,
                           bool *found)
{
    struct stat st;
    int fd = open(map->path, O_RDWR | O_CLOEXEC), error = fd < 0 ? errno : 0;
    if (!error && fstat(fd, &st))
        error = errno;
    if (!error && (st.st_dev != map->device || st.st_ino != map->inode))
        error = ESTALE; /* someone replaced the file */
    *found = !error;
    if (!error)
        error = reserve_blocks(fd, offset, length);
    if (fd >= 0)
        close(fd);
    return error;
}

/* The application has given up its rights (setuid), used up its descriptors or moved the file: the
 * mapping is still there. Where the disk is full this says so, and no page fault has to. */
static int reserve_in_place(const struct sca_arena_map *map, uint64_t offset, uint64_t length)
{
    uint64_t first = offset / PAGE * PAGE;
    return madvise(map->base + first, length + (offset - first), MADV_POPULATE_WRITE) ? errno : 0;
}

bool sca_arena_file_has_room(const struct sca_arena_map *map, uint64_t length)
{
    struct statvfs fs;
    int saved = errno;
    bool known = map->path[0] && !statvfs(map->path, &fs);
    errno = saved;
    return !known || (uint64_t)fs.f_bavail * fs.f_frsize / MUCH >= length;
}

int sca_arena_file_reserve(const struct sca_arena_map *map, uint64_t offset, uint64_t length)
{
    bool found;
    if (!map->path[0])
        return 0;
    int saved = errno, error = reserve_by_name(map, offset, length, &found);
    if (!found && reserve_in_place(map, offset, length) == 0)
        error = 0;
    errno = saved;
    return error;
}
