#include "machine/system_file.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sca_system_file_read(const char *root, const char *path, char *text, size_t size)
{
    char *full = sca_words_format("%s%s", root, path);
    FILE *file = fopen(full, "re");
    free(full);
    *text = '\0';
    if (!file)
        return false;
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    while (length && text[length - 1] == '\n')
        text[--length] = '\0';
    fclose(file);
    return true;
}

bool sca_system_file_exists(const char *root, const char *path)
{
    char *full = sca_words_format("%s%s", root, path);
    bool there = !access(full, F_OK);
    free(full);
    return there;
}
