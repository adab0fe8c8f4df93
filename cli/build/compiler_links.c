#include "build/compiler_links.h"
#include "sca_cache_folder.h"
#include "sca_error.h"
#include "sca_words.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name itself, or with the MPI's name behind it: "mpicc.mpich", "mpicc-openmpi". */
static bool has_name(const char *name, const char *const *known)
{
    for (; *known; known++) {
        size_t length = strlen(*known);
        if (!strncmp(name, *known, length) && (!name[length] || strchr(".-", name[length])))
            return true;
    }
    return false;
}

bool sca_compiler_links_is_mpi(const char *name, bool fortran)
{
    static const char *const c[] = {"mpicc", "mpicxx", "mpic++", "mpiCC", "mpig++", NULL};
    static const char *const f[] = {"mpifort", "mpif77", "mpif90", "mpif08", NULL};
    return has_name(name, fortran ? f : c);
}

static bool knows(const struct sca_words *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->list[i], name))
            return true;
    return false;
}

static void add_names(const char *folder, bool fortran, struct sca_words *names)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        bool mpi = sca_compiler_links_is_mpi(name, false) ||
                   (fortran && sca_compiler_links_is_mpi(name, true));
        char *path = mpi ? sca_words_find_program(name) : NULL;
        if (path && !knows(names, name))
            sca_words_add(names, name);
        free(path);
    }
    if (dir)
        closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_all_names(bool fortran, struct sca_words *names)
{
    const char *path = getenv("PATH");
    char *copy = sca_words_format("%s", path ? path : ""), *rest = copy;
    for (char *folder; (folder = strsep(&rest, ":"));)
        add_names(*folder ? folder : ".", fortran, names);
    free(copy);
    if (names->count)
        qsort(names->list, names->count, sizeof *names->list, by_name);
}

/* FNV-1a */
static uint64_t hash(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return (h ^ 1) * 0x100000001b3u;
}

static bool place(const char *scalana_static, const struct sca_words *names, char *path,
                  size_t size)
{
    uint64_t h = hash(0xcbf29ce484222325u, scalana_static);
    char kind[64];
    for (size_t i = 0; i < names->count; i++)
        h = hash(h, names->list[i]);
    snprintf(kind, sizeof kind, "compilers/%016llx", (unsigned long long)h);
    if (sca_cache_folder(kind, path, size)) {
        sca_cache_make_folder(path);
        if (!access(path, W_OK))
            return true;
    }
    const char *temporary = getenv("TMPDIR");
    snprintf(path, size, "%s/scalana-compilers-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(path) != NULL;
}

char *sca_compiler_links_make(const char *scalana_static, bool fortran)
{
    struct sca_words names = {0};
    char folder[PATH_MAX];
    int status = SCA_OK;
    add_all_names(fortran, &names);
    if (!place(scalana_static, &names, folder, sizeof folder))
        status = sca_fail(SCA_EIO, "cannot make a folder for links: %s", strerror(errno));
    for (size_t i = 0; status == SCA_OK && i < names.count; i++) {
        char *link = sca_words_format("%s/%s", folder, names.list[i]);
        if (symlink(scalana_static, link) && errno != EEXIST)
            status = sca_fail(SCA_EIO, "cannot make %s: %s", link, strerror(errno));
        free(link);
    }
    sca_words_free(&names);
    return status == SCA_OK ? sca_words_format("%s", folder) : NULL;
}
