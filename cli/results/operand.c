#include "results/operand.h"
#include "results/result_folder.h"
#include "sca_error.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_folder(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

char *sca_operand_folder(const char *operand)
{
    char *folder = operand ? sca_words_format("%s", operand) : sca_result_folder_newest();
    if (folder && is_folder(folder))
        return folder;
    if (folder)
        sca_fail(SCA_ENOTFOUND, "%s: no such folder", folder);
    else
        sca_fail(SCA_ENOTFOUND, "no result here: give one, or make one with scalana run");
    free(folder);
    return NULL;
}

char *sca_operand_file(const char *operand, const char *name)
{
    if (operand && !is_folder(operand)) {
        if (!access(operand, R_OK))
            return sca_words_format("%s", operand);
        sca_fail(SCA_ENOTFOUND, "%s: no such file or folder", operand);
        return NULL;
    }
    char *folder = sca_operand_folder(operand);
    if (!folder)
        return NULL;
    char *path = sca_words_format("%s/%s", folder, name);
    if (access(path, R_OK)) {
        sca_fail(SCA_ENOTFOUND, "there is no %s: scalana report %s makes it", path, folder);
        free(path);
        path = NULL;
    }
    free(folder);
    return path;
}
