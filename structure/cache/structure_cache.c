#include "cache/structure_cache.h"
#include "cache/structure_file.h"
#include "sca_cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool file_of(const char *key, char *path, size_t size)
{
    char folder[PATH_MAX];
    if (!sca_cache_folder("structure", folder, sizeof folder))
        return false;
    int length = snprintf(path, size, "%s/%s", folder, key);
    return length > 0 && (size_t)length < size;
}

/* ---- taking ---- */

static uint8_t *read_whole(int file, size_t *length)
{
    struct stat info;
    if (fstat(file, &info) || !S_ISREG(info.st_mode) || (uint64_t)info.st_size > SCA_CACHE_MOST)
        return NULL;
    uint8_t *bytes = malloc((size_t)info.st_size + 1);
    ssize_t got = 0;
    *length = 0;
    while (bytes && *length < (size_t)info.st_size &&
           (got = read(file, bytes + *length, (size_t)info.st_size - *length)) > 0)
        *length += (size_t)got;
    return bytes;
}

bool sca_structure_cache_get(const char *key, struct sca_structure *out)
{
    char path[PATH_MAX];
    size_t length = 0;
    int file = file_of(key, path, sizeof path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    uint8_t *bytes = read_whole(file, &length);
    bool found = bytes && !sca_structure_decode(bytes, length, path, out);
    futimens(file, NULL); /* used now */
    close(file);
    free(bytes);
    if (!found)
        unlink(path); /* damaged, or of another release */
    return found;
}

/* ---- keeping ---- */

struct kept {
    char name[NAME_MAX + 1];
    uint64_t size;
    struct timespec used;
};

static int oldest_first(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

static struct kept *list_files(int folder, DIR *dir, size_t *count, uint64_t *sum)
{
    struct kept *list = NULL;
    size_t capacity = 0;
    struct stat info;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode) ||
            sca_arena_grow(&list, sizeof *list, *count, &capacity))
            continue;
        struct kept *k = &list[(*count)++];
        snprintf(k->name, sizeof k->name, "%s", entry->d_name);
        k->size = (uint64_t)info.st_size;
        k->used = info.st_mtim;
        *sum += k->size;
    }
    return list;
}

static void make_room(const char *path)
{
    DIR *dir = opendir(path);
    size_t count = 0;
    uint64_t sum = 0;
    if (!dir)
        return;
    int folder = dirfd(dir);
    struct kept *list = list_files(folder, dir, &count, &sum);
    if (count)
        qsort(list, count, sizeof *list, oldest_first);
    for (size_t i = 0; i < count && sum > SCA_CACHE_MOST; i++) {
        unlinkat(folder, list[i].name, 0);
        sum -= list[i].size;
    }
    free(list);
    closedir(dir);
}

/* Under a name of its own first: whoever reads meanwhile sees a whole file or none. */
static bool write_beside(const char *path, const uint8_t *bytes, size_t length)
{
    char other[PATH_MAX];
    int used = snprintf(other, sizeof other, "%s.XXXXXX", path);
    int file = used > 0 && (size_t)used < sizeof other ? mkstemp(other) : -1;
    if (file < 0)
        return false;
    size_t done = 0;
    for (ssize_t got = 1; done < length && got > 0; done += got > 0 ? (size_t)got : 0)
        got = write(file, bytes + done, length - done);
    bool ok = !close(file) && done == length && !rename(other, path);
    if (!ok)
        unlink(other);
    return ok;
}

void sca_structure_cache_put(const char *key, const struct sca_structure *structure)
{
    char folder[PATH_MAX], path[PATH_MAX];
    size_t length;
    if (!sca_cache_folder("structure", folder, sizeof folder) || !file_of(key, path, sizeof path))
        return;
    uint8_t *bytes = sca_structure_encode(structure, &length);
    if (!bytes || length > SCA_CACHE_MOST / 2) {
        free(bytes);
        return;
    }
    sca_cache_make_folder(folder);
    if (write_beside(path, bytes, length))
        make_room(folder);
    free(bytes);
}
