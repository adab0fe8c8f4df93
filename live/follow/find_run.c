#include "follow/find_run.h"
#include "sca_error.h"
#include "sca_profile.h"
#include "sca_words.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* When the run in a folder began or ended; 0: there is none in it. */
static double time_of_run(const char *path)
{
    struct stat st;
    double when = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if ((!fnmatch("rank-*.part", entry->d_name, 0) ||
             !strcmp(entry->d_name, SCA_PROFILE_FILE)) &&
            !fstatat(dirfd(dir), entry->d_name, &st, 0) && (double)st.st_mtim.tv_sec > when)
            when = (double)st.st_mtim.tv_sec + 1e-9 * (double)st.st_mtim.tv_nsec;
    if (dir)
        closedir(dir);
    return when;
}

static void take_newer(const char *path, char **newest, double *when)
{
    double t = is_folder(path) ? time_of_run(path) : 0;
    if (t <= *when)
        return;
    free(*newest);
    *newest = sca_words_format("%s", path);
    *when = t;
}

static void take_newest(const char *pattern, char **newest, double *when)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        take_newer(found.gl_pathv[i], newest, when);
    globfree(&found);
}

/* A run directory is itself; of a result the newest run in it. */
static char *within(const char *folder)
{
    char *newest = NULL, *pattern = sca_words_format("%s/*", folder);
    double when = 0;
    DIR *dir = opendir(folder);
    if (!dir) {
        sca_fail(SCA_EIO, "%s: %s", folder, strerror(errno));
    } else if (time_of_run(folder) > 0) {
        newest = sca_words_format("%s", folder);
    } else {
        take_newest(pattern, &newest, &when);
        if (!newest)
            sca_fail(SCA_ENOTFOUND, "%s: no run directory: neither %s nor rank-*.part in it",
                     folder, SCA_PROFILE_FILE);
    }
    if (dir)
        closedir(dir);
    free(pattern);
    return newest;
}

/* The newer of a run directory and one within a result, by their patterns. */
static char *newest_of(const char *direct, const char *in_result)
{
    char *newest = NULL;
    double when = 0;
    take_newest(direct, &newest, &when);
    take_newest(in_result, &newest, &when);
    return newest;
}

/* scalana-NAME-8p, and within results scalana-NAME/8p. */
static char *of_program(const char *name)
{
    char *direct = sca_words_format("scalana-%s-*p*", name);
    char *in_result = sca_words_format("scalana-%s*/*p*", name);
    char *newest = newest_of(direct, in_result);
    free(direct);
    free(in_result);
    return newest;
}

/* Whatever name the user gave to run or result. */
static char *of_any_program(void)
{
    return newest_of("*", "*/[0-9]*p*");
}

char *sca_find_run(const char *operand)
{
    if (operand && is_folder(operand))
        return within(operand);
    char *found = !operand ? of_any_program() : strchr(operand, '/') ? NULL : of_program(operand);
    if (!found && operand && !access(operand, F_OK))
        sca_fail(SCA_ENOTFOUND, "%s: not a run directory, such as scalana-NAME-8p", operand);
    else if (!found && operand)
        sca_fail(SCA_ENOTFOUND,
                 "%s: no such run directory, nor a run of a program of that name here", operand);
    else if (!found)
        sca_fail(SCA_ENOTFOUND, "there is no run here: name its directory");
    return found;
}
