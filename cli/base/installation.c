#include "base/installation.h"
#include "sca_error.h"
#include "sca_words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *sca_installation_path(const char *name)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2 && strrchr(self, '/'); up++) /* PREFIX/bin/scalana */
        *strrchr(self, '/') = '\0';
    return sca_words_format("%s/%s", self, name);
}

char *sca_installation_command(const char *name)
{
    char *below = sca_words_format("bin/%s", name), *path = sca_installation_path(below);
    free(below);
    if (!access(path, X_OK))
        return path;
    sca_fail(SCA_ENOTFOUND, "%s is missing: the installation of ScalAna is incomplete", path);
    free(path);
    return NULL;
}
