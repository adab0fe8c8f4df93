#include "wrapper/wrapper.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEWEST = 999 };

/* They stand in lib/scalana beside our own bin, wherever both were moved. */
static char *plugin_folder(void)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return NULL;
    self[length] = 0;
    for (int up = 0; up < 2 && strrchr(self, '/'); up++)
        *strrchr(self, '/') = 0;
    return sca_words_format("%s/lib/scalana", self);
}

char *sca_plugins_find(int version)
{
    char *folder = plugin_folder(), *path = NULL;
    if (folder && version == SCA_LLVM_MAJOR)
        path = sca_words_format("%s/libscalana-pass.so", folder);
    else if (folder)
        path = sca_words_format("%s/libscalana-pass-%d.so", folder, version);
    free(folder);
    if (path && access(path, R_OK)) {
        free(path);
        path = NULL;
    }
    return path;
}

char *sca_plugins_versions(void)
{
    char *text = NULL;
    for (int version = 0; version < NEWEST; version++) {
        char *plugin = sca_plugins_find(version), *before = text;
        if (plugin)
            text = before ? sca_words_format("%s and %d", before, version)
                          : sca_words_format("%d", version);
        if (plugin)
            free(before);
        free(plugin);
    }
    return text;
}
