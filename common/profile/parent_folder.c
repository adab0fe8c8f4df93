#include "profile/parent_folder.h"
#include "sca_profile.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, SHOWN = 6 };

static bool has_part(const char *path)
{
    DIR *dir = opendir(path);
    bool found = false;
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));)
        found = !fnmatch("rank-*.part", entry->d_name, 0);
    if (dir)
        closedir(dir);
    return found;
}

static bool is_run(const char *directory, const char *name)
{
    char path[PATH], profile[PATH + sizeof SCA_PROFILE_FILE];
    if (*name == '.' || snprintf(path, sizeof path, "%s/%s", directory, name) >= PATH)
        return false;
    snprintf(profile, sizeof profile, "%s/%s", path, SCA_PROFILE_FILE);
    return !access(profile, F_OK) || has_part(path);
}

const char *sca_parent_folder_runs(const char *directory, char *text, size_t size)
{
    struct dirent **entries = NULL;
    int n = scandir(directory, &entries, NULL, versionsort);
    unsigned found = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        if (is_run(directory, entries[i]->d_name) && found++ < SHOWN && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", found > 1 ? ", " : "",
                                     entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (found > SHOWN && used < size)
        snprintf(text + used, size - used, " and %u more", found - SHOWN);
    return text;
}
