#include "wrapper/wrapper.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

/* `use mpi`, `use :: mpi_f08`, `use, intrinsic :: mpi`: the module's name, or NULL. */
static const char *mpi_module(const char *line)
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
    return length == 7 && !strncasecmp(at, "mpi_f08", 7) ? "mpi_f08" : NULL;
}

static const char *module_used_by(const char *source)
{
    char line[1024];
    const char *module = NULL;
    FILE *file = fopen(source, "r");
    while (file && !module && fgets(line, sizeof line, file))
        module = mpi_module(line);
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

/* The module's file in the folder that a word names, `-Ifolder`; NULL: it names none. */
static char *path_in(const char *word, const char *module)
{
    return !strncmp(word, "-I", 2) && word[2]
               ? sca_system_format_text("%s/%s.mod", word + 2, module)
               : NULL;
}

static enum module_file look_in(const char *word, const char *module)
{
    const char *path = path_in(word, module);
    return path ? look_at(path) : NO_MODULE;
}

static char *search(const struct words *words, const char *module)
{
    for (size_t i = 0; i < words->count; i++)
        if (look_in(words->list[i], module) == FOREIGN_MODULE)
            return path_in(words->list[i], module);
    return NULL;
}

/* Moves a word to the end. */
static void put_last(struct words *command, size_t i)
{
    char *word = command->list[i];
    memmove(&command->list[i], &command->list[i + 1],
            (command->count - i - 1) * sizeof *command->list);
    command->list[command->count - 1] = word;
}

void sca_fortran_put_own_first(struct words *command)
{
    size_t own = 0;
    while (own < command->count && look_in(command->list[own], "mpi") != OWN_MODULE)
        own++;
    for (size_t i = own; own < command->count && i-- > 0;)
        if (look_in(command->list[i], "mpi") == FOREIGN_MODULE)
            put_last(command, i);
}

static struct words shown_words(const struct compiler *compiler)
{
    struct words words = {0};
    char *line =
        sca_system_first_line((char *[]){(char *)compiler->command, (char *)"-show", NULL});
    for (char *word; line && (word = strsep(&line, " "));)
        sca_words_add(&words, word);
    return words;
}

static char *module_explanation(const char *module, const struct words *given,
                                const struct words *shown)
{
    for (size_t i = 0; i < given->count; i++)
        if (look_in(given->list[i], module) == OWN_MODULE)
            return NULL;
    char *path = search(given, module);
    path = path ? path : search(shown, module);
    return path ? sca_system_format_text(
                      "'use %s' cannot work here: %s was written by another Fortran "
                      "compiler; use include 'mpif.h', an MPI built with flang%s",
                      module, path,
                      strcmp(module, "mpi")
                          ? ""
                          : ", or the module that 'scalana-static --mpi-module=DIR "
                            "mpifort' makes, with -I DIR")
                : NULL;
}

/* Open MPI 4's mpif.h declares interfaces that differ in kinds which flang 19 still took for
 * different; later ones refuse it, in two thousand lines. */
static struct explanation header_explanation(const struct compiler *compiler,
                                             const struct words *shown)
{
    static const char header[] = "mpif-sizeof.h";
    struct explanation none = {0};
    for (size_t i = 0; compiler->version > 19 && i < shown->count; i++) {
        const char *folder = shown->list[i];
        if (strncmp(folder, "-I", 2) ||
            access(sca_system_format_text("%s/%s", folder + 2, header), R_OK))
            continue;
        char *text =
            sca_system_format_text("flang %d does not accept %s/%s of this Open MPI: use flang 19 "
                                   "(OMPI_FC=flang-new-19) or MPICH",
                                   compiler->version, folder + 2, header);
        return (struct explanation){text, header};
    }
    return none;
}

struct explanation sca_fortran_foreign_files(const struct compiler *compiler,
                                             const struct request *request, char *const *command)
{
    const char *module = NULL;
    struct words given = {0}, shown = {0};
    for (size_t i = 0; i < request->sources.count && !module; i++)
        module = module_used_by(request->sources.list[i]);
    for (; *command; command++)
        sca_words_add(&given, *command);
    if (compiler->mpi && (module || compiler->version > 19))
        shown = shown_words(compiler);
    char *text = module ? module_explanation(module, &given, &shown) : NULL;
    return text ? (struct explanation){text, NULL} : header_explanation(compiler, &shown);
}

/* Passes on the first lines only: flang reports every byte of a module it cannot read. Whether
 * one of all lines has the mark. */
static bool forward_some(int input, const char *mark)
{
    enum { MOST_LINES = 12 };
    char *line = NULL;
    size_t size = 0;
    bool seen = !mark;
    FILE *stream = fdopen(input, "r");
    for (int n = 0; stream && getline(&line, &size, stream) >= 0;) {
        seen = seen || strstr(line, mark);
        if (!seen || n++ < MOST_LINES)
            fputs(line, stderr);
    }
    if (stream)
        fclose(stream);
    free(line);
    return seen;
}

int sca_fortran_run_and_explain(char *const *command, const struct explanation *explanation)
{
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC))
        return 1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    close(ends[1]);
    bool fits = forward_some(ends[0], explanation->mark);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (code && fits)
        fprintf(stderr, "scalana-static: %s\n", explanation->text);
    return code;
}
