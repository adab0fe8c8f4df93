#include "inspect/thin_archive.h"
#include "sca_error.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAGIC = 8, HEADER = 60, SIZE_AT = 48, SIZE = 10, END_AT = 58 };

static const char magic[MAGIC + 1] = "!<thin>\n";

struct thin {
    FILE *file;
    const char *path;
    long length;
    char *names; /* the table "//": each ends with "/\n" */
    struct sca_words *members;
};

bool sca_thin_archive_is_one(int fd)
{
    char start[MAGIC];
    return pread(fd, start, MAGIC, 0) == MAGIC && !memcmp(start, magic, MAGIC);
}

/* Tables are held in the archive, at even places; members are not. */
static bool get_table(struct thin *thin, const char *header, bool wanted)
{
    char digits[SIZE + 1] = "";
    memcpy(digits, header + SIZE_AT, SIZE);
    unsigned long size = strtoul(digits, NULL, 10);
    long here = ftell(thin->file);
    if (here < 0 || size > (unsigned long)(thin->length - here) || (wanted && thin->names))
        return false;
    if (wanted) {
        thin->names = sca_must(calloc(size + 1, 1));
        if (fread(thin->names, 1, size, thin->file) != size)
            return false;
    }
    return !fseek(thin->file, here + (long)(size + size % 2), SEEK_SET);
}

/* "/12": the name is at byte 12 of the table; relative ones start at the archive's folder. */
static bool add_member(struct thin *thin, const char *header)
{
    char path[PATH_MAX];
    unsigned long at = strtoul(header + 1, NULL, 10);
    if (header[0] != '/' || !thin->names || at >= strlen(thin->names))
        return false;
    const char *name = thin->names + at, *slash = strrchr(thin->path, '/');
    const char *end = strstr(name, "/\n");
    int folder = *name == '/' || !slash ? 0 : (int)(slash + 1 - thin->path);
    if (!end || end == name ||
        snprintf(path, sizeof path, "%.*s%.*s", folder, thin->path, (int)(end - name), name) >=
            PATH_MAX)
        return false;
    sca_words_add(thin->members, path);
    return true;
}

static bool get_all(struct thin *thin)
{
    char header[HEADER + 1] = "";
    thin->length = fseek(thin->file, 0, SEEK_END) ? 0 : ftell(thin->file);
    if (fseek(thin->file, MAGIC, SEEK_SET))
        return false;
    for (;;) {
        size_t got = fread(header, 1, HEADER, thin->file);
        if (!got)
            return true;
        bool names = !strncmp(header, "// ", 3);
        bool symbols = !strncmp(header, "/ ", 2) || !strncmp(header, "/SYM64/", 7);
        if (got != HEADER || memcmp(header + END_AT, "`\n", 2) ||
            !(names || symbols ? get_table(thin, header, names) : add_member(thin, header)))
            return false;
    }
}

int sca_thin_archive_members(const char *path, struct sca_words *members)
{
    struct thin thin = {.file = fopen(path, "re"), .path = path, .members = members};
    if (!thin.file)
        return sca_fail(SCA_EIO, "%s: %m", path);
    bool whole = get_all(&thin);
    fclose(thin.file);
    free(thin.names);
    return whole ? SCA_OK : sca_fail(SCA_EFORMAT, "%s: damaged thin archive", path);
}
