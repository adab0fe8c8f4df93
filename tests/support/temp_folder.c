#include "temp_folder.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void temp_folder(char path[TEMP_FOLDER])
{
    snprintf(path, TEMP_FOLDER, "/tmp/scalana-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path));
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

void temp_folder_drop(const char *path)
{
    nftw(path, drop, 16, FTW_DEPTH | FTW_PHYS);
    ck_assert_msg(access(path, F_OK), "%s is still there", path);
}
