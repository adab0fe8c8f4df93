#include "wrapper/fortran_folders.h"
#include "wrapper/wrapper.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* `use mpi`, `use :: mpi_f08`, `use, intrinsic :: mpi`: the module's name, "" for any other, or
 * NULL. */
static const char *module_of(const char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    if (strncasecmp(line, "use", 3) || !strchr(" \t,:", line[3]))
        return NULL;
    const char *colons = strstr(line, "::");
    const char *at = colons ? colons + 2 : line + 3;
    while (isspace((unsigned char)*at))
        at++;
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (length == 3 && !strncasecmp(at, "mpi", 3))
        return "mpi";
    return length == 7 && !strncasecmp(at, "mpi_f08", 7) ? "mpi_f08" : length ? "" : NULL;
}

const char *sca_fortran_module_used(const char *source)
{
    char line[1024];
    const char *module = NULL;
    FILE *file = fopen(source, "r");
    while (file && !(module && *module) && fgets(line, sizeof line, file)) {
        const char *used = module_of(line);
        module = used ? used : module;
    }
    if (file)
        fclose(file);
    return module;
}

enum module_file { NO_MODULE, OWN_MODULE, FOREIGN_MODULE };

/* flang's module files are text and say so; gfortran's are compressed. */
static enum module_file look_at(const char *path)
{
    char start[16] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return NO_MODULE;
    size_t length = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    return !length ? NO_MODULE : memmem(start, length, "!mod$", 5) ? OWN_MODULE : FOREIGN_MODULE;
}

/* The folder for modules and headers that word i names, -Ifolder or -I folder; NULL: none. */
static const char *folder_at(const struct sca_words *words, size_t i)
{
    static const char *const options[] = {"-I", "-J", "-module-dir"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        size_t length = strlen(options[o]);
        if (strncmp(words->list[i], options[o], length))
            continue;
        return words->list[i][length] ? words->list[i] + length : words->list[i + 1];
    }
    return NULL;
}

static char *path_in(const char *folder, const char *file)
{
    return folder ? sca_words_format("%s/%s", folder, file) : NULL;
}

char *sca_fortran_find_file(const struct sca_words *words, const char *file)
{
    for (size_t i = 0; i < words->count; i++) {
        char *path = path_in(folder_at(words, i), file);
        if (path && !access(path, R_OK))
            return path;
    }
    return NULL;
}

static char *module_file(const char *module)
{
    return sca_words_format("%s.mod", module);
}

static enum module_file look_in(const struct sca_words *words, size_t i, const char *module)
{
    char *path = path_in(folder_at(words, i), module_file(module));
    return path ? look_at(path) : NO_MODULE;
}

bool sca_fortran_has_own(const struct sca_words *words, const char *module)
{
    bool own = look_at(module_file(module)) == OWN_MODULE;
    for (size_t i = 0; i < words->count && !own; i++)
        own = look_in(words, i, module) == OWN_MODULE;
    return own;
}

char *sca_fortran_find_foreign(const struct sca_words *words, const char *module)
{
    for (size_t i = 0; i < words->count; i++)
        if (look_in(words, i, module) == FOREIGN_MODULE)
            return path_in(folder_at(words, i), module_file(module));
    return NULL;
}

void sca_fortran_add_folders(struct sca_words *to, const struct sca_words *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (folder_at(from, i) && !strncmp(from->list[i], "-I", 2))
            sca_words_add(to, sca_words_format("-I%s", folder_at(from, i)));
}

/* Moves a word to the end. */
static void put_last(struct sca_words *command, size_t i)
{
    char *word = command->list[i];
    memmove(&command->list[i], &command->list[i + 1],
            (command->count - i - 1) * sizeof *command->list);
    command->list[command->count - 1] = word;
}

void sca_fortran_put_own_first(struct sca_words *command)
{
    size_t own = 0;
    while (own < command->count && look_in(command, own, "mpi") != OWN_MODULE)
        own++;
    for (size_t i = own; own < command->count && i-- > 0;)
        if (!strncmp(command->list[i], "-I", 2) && look_in(command, i, "mpi") == FOREIGN_MODULE) {
            if (!command->list[i][2])
                put_last(command, i);
            put_last(command, i);
        }
}
