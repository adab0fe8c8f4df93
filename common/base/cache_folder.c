#include "sca_cache_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool sca_cache_folder(const char *kind, char *path, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (base && *base == '/')
        length = snprintf(path, size, "%s/scalana/%s", base, kind);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.cache/scalana/%s", home, kind);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

void sca_cache_make_folder(char *path)
{
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    mkdir(path, 0700);
}
