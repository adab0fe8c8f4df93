#include "load/later_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, MOST = 10000 };

/* "run.2" -> "run", 2; "run" -> "run", 1. */
static unsigned split(const char *directory, char name[PATH])
{
    snprintf(name, PATH, "%s", directory);
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/')
        name[--length] = '\0';
    char *dot = strrchr(name, '.');
    if (!dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")])
        return 1;
    *dot = '\0';
    return (unsigned)strtoul(dot + 1, NULL, 10);
}

/* The newest directory of that name; 0: there is none behind `number`. */
static unsigned newest(const char *name, unsigned number)
{
    char path[PATH + 16];
    unsigned last = number;
    for (; last < MOST; last++) {
        snprintf(path, sizeof path, "%s.%u", name, last + 1);
        if (access(path, F_OK))
            break;
    }
    return last > number ? last : 0;
}

const char *sca_later_build(const struct sca_profile *profile, char text[SCA_LATER_BUILD])
{
    char name[PATH], path[PATH + 16];
    struct sca_profile *later;
    unsigned number = split(profile->directory, name), last = newest(name, number);
    const char *own = sca_profile_meta(profile, "build_id", "");
    text[0] = '\0';
    snprintf(path, sizeof path, "%s.%u", name, last);
    if (!last || sca_profile_load_packed(path, &later) < 0)
        return text;
    const char *other = sca_profile_meta(later, "build_id", "");
    if (*own && *other && strcmp(own, other) != 0)
        snprintf(
            text, SCA_LATER_BUILD,
            "%.240s is a run of a later build of the program. scalana-detect --view=diff %.240s "
            "%.240s compares the two",
            path, profile->directory, path);
    sca_profile_free(later);
    return text;
}
