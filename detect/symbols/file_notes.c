#include "symbols/file_notes.h"

#include <stdio.h>
#include <string.h>

enum { TOLD = 4 /* files by their paths in one sentence */, PATHS = 768 };

/* What to say of a file whose structure comes from machine code, as below. */
static const char *what_is_recovered(const struct sca_code *code)
{
    bool lines = code->units.count > 0, psg = code->binary->psg != NULL;
    if (psg && code->units.absent)
        return "debug information of %s is in %s, which is missing or unreadable for this libdw "
               "(.dwp, -gsplit-dwarf=single). Without it, loops come from machine code, and "
               "inlined functions carry their caller's name. Another run is not needed";
    if (lines)
        return psg ? NULL
                   : "loops of %s were recovered from machine code, because scalana-static did not "
                     "compile it";
    if (!psg && !code->binary->stripped)
        return "loops of %s were recovered from machine code, with addresses instead of lines: "
               "compiled without scalana-static and without -g";
    return "loops of %s were recovered from machine code, with addresses instead of lines: it is "
           "stripped, and no debug file was found";
}

/* Of a file that is gone, what the run had no room for; NULL if it kept all that is of use. */
static const char *what_is_not_kept(const struct sca_code *code)
{
    if (!code->application || code->recovered || (code->binary->psg && code->units.count))
        return NULL;
    if (code->units.count)
        return "%s is missing, and its machine code exceeded what the run keeps (SCALANA_KEEP). "
               "Until --symfs=DIR finds it, there are functions and lines, but no loops";
    return "%s is missing, and its lines exceeded what the run keeps (SCALANA_KEEP). Until "
           "--symfs=DIR finds it, there are functions, but neither lines nor loops";
}

/* What to say of files whose vertices cannot be found, as a format for their paths and what is
 * absent; NULL if they can, or if nobody expects it. */
static const char *what_is_missing(const struct sca_code *code)
{
    bool lines = code->units.count > 0;
    if (code->binary && code->binary->unreadable)
        return "lines are missing: the debug information of %s is compressed with zstd, which this "
               "libdw cannot read. The command 'objcopy --decompress-debug-sections' on that file "
               "restores them, without another run";
    if (code->binary && code->binary->extent < SCA_BINARY_WHOLE && what_is_not_kept(code))
        return what_is_not_kept(code);
    if (code->recovered)
        return what_is_recovered(code);
    if (!code->binary || (code->binary->psg && lines) || (!code->program && !code->binary->psg))
        return NULL;
    return lines ? "no program structure graph in %s, and none can be recovered from this "
                   "machine's code. Compile it with scalana-static; until then there are functions "
                   "and lines, but no loops"
                 : "no program structure graph in %s, and none can be recovered from this "
                   "machine's code. Compile it with scalana-static; without debug information (-g) "
                   "there are only functions";
}

/* Of a file with parts in another, that is named too, so each has a sentence of its own. */
static bool is_alike(const struct sca_code *file, const char *sentence)
{
    const char *own = what_is_missing(file);
    return own && !strcmp(own, sentence) && !file->units.absent;
}

/* "a", "a and b", "a, b and 3 more": all files like the first. */
static void list_paths(const struct sca_code *files, uint32_t count, const char *sentence,
                       char *text, size_t size)
{
    uint32_t all = 0, at = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        all += is_alike(&files[i], sentence);
    uint32_t told = all > TOLD ? TOLD - 1 : all;
    for (uint32_t i = 0; i < count && at < told && used < size; i++)
        if (is_alike(&files[i], sentence)) {
            const char *between = !at ? "" : at + 1 == all ? " and " : ", ";
            used += (size_t)snprintf(text + used, size - used, "%s%s", between, files[i].path);
            at++;
        }
    if (told < all && used < size)
        snprintf(text + used, size - used, " and %u more", all - told);
}

static bool is_told(const struct sca_code *files, uint32_t file, const char *sentence)
{
    for (uint32_t i = 0; i < file; i++)
        if (is_alike(&files[i], sentence))
            return is_alike(&files[file], sentence);
    return false;
}

bool sca_file_note(const struct sca_code *files, uint32_t count, uint32_t file, char *text,
                   size_t size)
{
    const char *missing = what_is_missing(&files[file]);
    char paths[PATHS];
    if (!missing || is_told(files, file, missing))
        return false;
    if (files[file].units.absent)
        snprintf(paths, sizeof paths, "%s", files[file].path);
    else
        list_paths(files + file, count - file, missing, paths, sizeof paths);
    snprintf(text, size, missing, paths, files[file].units.absent);
    return true;
}
