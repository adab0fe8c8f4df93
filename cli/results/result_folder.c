#include "results/result_folder.h"
#include "sca_error.h"
#include "sca_profile.h"
#include "sca_wire.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_RESULTS = 10000, HEAD = 16 /* magic, version, ranks */ };

char *sca_result_folder_make(const char *wanted, const char *program)
{
    char *name = wanted ? sca_words_format("%s", wanted)
                        : sca_words_format("scalana-%s", sca_words_base_name(program));
    for (unsigned i = 1; i < MOST_RESULTS; i++) {
        char *path = i == 1 ? sca_words_format("%s", name) : sca_words_format("%s.%u", name, i);
        if (!mkdir(path, 0777)) {
            free(name);
            return path;
        }
        if (errno != EEXIST) {
            sca_fail(SCA_EIO, "cannot make the result folder %s: %s", path, strerror(errno));
            free(path);
            free(name);
            return NULL;
        }
        free(path);
    }
    sca_fail(SCA_EIO, "there are %d results named %s", MOST_RESULTS, name);
    free(name);
    return NULL;
}

char *sca_result_folder_run(const char *folder, unsigned ranks, unsigned threads,
                            unsigned repetition)
{
    char of_threads[16] = "", again[16] = "";
    if (threads)
        snprintf(of_threads, sizeof of_threads, "-%ut", threads);
    if (repetition)
        snprintf(again, sizeof again, ".%u", repetition + 1);
    return sca_words_format("%s/%up%s%s", folder, ranks, of_threads, again);
}

bool sca_result_folder_is_run(const char *path)
{
    char *profile = sca_words_format("%s/%s", path, SCA_PROFILE_FILE);
    bool is = !access(profile, F_OK);
    free(profile);
    DIR *dir = is ? NULL : opendir(path);
    for (struct dirent *entry; dir && !is && (entry = readdir(dir));)
        is = !fnmatch("rank-*.part", entry->d_name, 0);
    if (dir)
        closedir(dir);
    return is;
}

struct run_name { /* "8p", "8p-4t", "8p-4t.2" */
    unsigned long ranks, threads, repetition;
};

static struct run_name name_of(const char *path)
{
    char *end;
    struct run_name name = {.repetition = 1};
    name.ranks = strtoul(sca_words_base_name(path), &end, 10);
    if (*end != 'p')
        return name;
    end++;
    if (*end == '-')
        name.threads = strtoul(end + 1, &end, 10);
    end += *end == 't';
    if (*end == '.')
        name.repetition = strtoul(end + 1, NULL, 10);
    return name;
}

static int by_number(unsigned long a, unsigned long b)
{
    return (a > b) - (a < b);
}

static int by_size(const void *a, const void *b)
{
    struct run_name x = name_of(*(char *const *)a), y = name_of(*(char *const *)b);
    int c = by_number(x.ranks, y.ranks);
    c = c ? c : by_number(x.threads, y.threads);
    return c ? c : by_number(x.repetition, y.repetition);
}

unsigned sca_result_folder_runs(const char *folder, struct sca_words *runs)
{
    size_t before = runs->count;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *path = sca_words_format("%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && sca_result_folder_is_run(path))
            sca_words_add(runs, path);
        free(path);
    }
    if (dir)
        closedir(dir);
    if (runs->count > before)
        qsort(runs->list + before, runs->count - before, sizeof *runs->list, by_size);
    return (unsigned)(runs->count - before);
}

char *sca_result_folder_newest(void)
{
    glob_t found;
    char *newest = NULL;
    struct timespec last = {0};
    if (glob("*", GLOB_ONLYDIR, NULL, &found))
        return NULL;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct sca_words runs = {0};
        struct stat st;
        bool later = !stat(found.gl_pathv[i], &st) &&
                     (st.st_mtim.tv_sec > last.tv_sec ||
                      (st.st_mtim.tv_sec == last.tv_sec && st.st_mtim.tv_nsec > last.tv_nsec));
        if (later && sca_result_folder_runs(found.gl_pathv[i], &runs)) {
            free(newest);
            newest = sca_words_format("%s", found.gl_pathv[i]);
            last = st.st_mtim;
        }
        sca_words_free(&runs);
    }
    globfree(&found);
    return newest;
}

unsigned sca_result_folder_ranks(const char *run)
{
    unsigned char head[HEAD];
    struct sca_reader reader;
    char *path = sca_words_format("%s/%s", run, SCA_PROFILE_FILE);
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    free(path);
    if (file)
        fclose(file);
    sca_wire_reader_init(&reader, head, n);
    sca_wire_get_u64(&reader); /* magic */
    sca_wire_get_u32(&reader); /* version */
    return sca_wire_get_u32(&reader);
}
