#include "load/worlds.h"
#include "sca_error.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool joins_any(const struct sca_profile *p)
{
    for (uint32_t i = 0; i < p->ncomms; i++)
        if (p->comms[i].joins_worlds)
            return true;
    return false;
}

/* ---- those that were given together ---- */

/* Moves to the front of `rest` what some world of the group is joined to; returns how many. */
static uint32_t take_joined(struct sca_profile *const *group, uint32_t n, struct sca_profile **rest,
                            uint32_t nrest)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < nrest; i++) {
        bool joined = false;
        for (uint32_t k = 0; k < n && !joined; k++)
            joined = joins_any(rest[i]) && sca_profile_are_joined(group[k], rest[i]);
        if (!joined)
            continue;
        struct sca_profile *one = rest[i];
        memmove(rest + taken + 1, rest + taken, (i - taken) * sizeof(struct sca_profile *));
        rest[taken++] = one;
    }
    return taken;
}

/* From `profiles` on, those that belong together: the first, and what is moved behind it. */
static uint32_t gather(struct sca_profile **profiles, uint32_t count)
{
    uint32_t n = 1, more;
    if (!joins_any(profiles[0]))
        return n;
    while ((more = take_joined(profiles, n, profiles + n, count - n)))
        n += more;
    return n;
}

int sca_worlds_unite(struct sca_profile **profiles, uint32_t *count)
{
    for (uint32_t i = 0; i < *count; i++) {
        struct sca_profile *all;
        uint32_t n = gather(profiles + i, *count - i);
        if (n == 1)
            continue;
        int status =
            sca_profile_load_worlds((const struct sca_profile *const *)profiles + i, n, &all);
        if (status != SCA_OK)
            return status;
        for (uint32_t k = 0; k < n; k++)
            sca_profile_free(profiles[i + k]);
        profiles[i] = all;
        memmove(profiles + i + 1, profiles + i + n,
                (*count - i - n) * sizeof(struct sca_profile *));
        *count -= n - 1;
    }
    return SCA_OK;
}

/* ---- those that lie beside one ---- */

enum { MOST_LOOKED_AT = 16 };
#define NEAR 600.0 /* seconds between the ends of two worlds */

struct neighbour {
    char path[PATH_MAX];
    double apart; /* seconds, as written */
};

static double written(const char *directory)
{
    char path[PATH_MAX + sizeof SCA_PROFILE_FILE];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", directory, SCA_PROFILE_FILE);
    return stat(path, &st) ? NAN : (double)st.st_mtim.tv_sec + 1e-9 * (double)st.st_mtim.tv_nsec;
}

static bool is_same(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Keeps the nearest. */
static void keep(struct neighbour *list, uint32_t *n, const struct neighbour *one)
{
    uint32_t i = *n < MOST_LOOKED_AT ? (*n)++ : MOST_LOOKED_AT - 1;
    if (*n == MOST_LOOKED_AT && i == MOST_LOOKED_AT - 1 && list[i].path[0] &&
        list[i].apart <= one->apart)
        return;
    for (; i && list[i - 1].apart > one->apart; i--)
        list[i] = list[i - 1];
    list[i] = *one;
}

static uint32_t look_around(const char *directory, struct neighbour *list)
{
    static const char prefix[] = "scalana-";
    char around[PATH_MAX];
    uint32_t n = 0;
    double own = written(directory);
    snprintf(around, sizeof around, "%s/..", directory);
    DIR *dir = opendir(around);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        struct neighbour one;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) ||
            snprintf(one.path, sizeof one.path, "%.2000s/%s", around, entry->d_name) >= PATH_MAX)
            continue;
        one.apart = fabs(written(one.path) - own);
        if (one.apart <= NEAR && !is_same(one.path, directory))
            keep(list, &n, &one);
    }
    if (dir)
        closedir(dir);
    return n;
}

static void append_name(const char *path, char *text, size_t size)
{
    const char *slash = strrchr(path, '/');
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", slash ? slash + 1 : path);
}

void sca_worlds_beside(const struct sca_profile *profile, char *text, size_t size)
{
    struct neighbour *list = calloc(MOST_LOOKED_AT, sizeof *list);
    uint32_t n = list ? look_around(profile->directory, list) : 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++) {
        struct sca_profile *other;
        if (sca_profile_load_packed(list[i].path, &other) != SCA_OK)
            continue;
        if (joins_any(other) && sca_profile_are_joined(profile, other))
            append_name(list[i].path, text, size);
        sca_profile_free(other);
    }
    free(list);
}
