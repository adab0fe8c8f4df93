#include "wrapper/fortran_folders.h"
#include "wrapper/wrapper.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where an MPI wrapper looks for files: it says so only of a call that links. */
static struct sca_words shown_words(const struct compiler *compiler)
{
    struct sca_words words = {0};
    char *line =
        sca_system_first_line((char *[]){(char *)compiler->command, (char *)"-show", NULL});
    for (char *word; line && (word = strsep(&line, " "));)
        sca_words_add(&words, word);
    return words;
}

static char *module_explanation(const char *module, const struct sca_words *given,
                                const struct sca_words *shown)
{
    if (sca_fortran_has_own(given, module))
        return NULL;
    char *path = sca_fortran_find_foreign(given, module);
    path = path ? path : sca_fortran_find_foreign(shown, module);
    return path
               ? sca_words_format(
                     "'use %s' does not work here: another Fortran compiler wrote %s. Use include "
                     "'mpif.h', an MPI built with flang, or %s",
                     module, path,
                     strcmp(module, "mpi")
                         ? "'use mpi'"
                         : "the module from 'scalana-static --mpi-module=DIR mpifort', with -I DIR")
               : NULL;
}

static const char refused[] = "mpif-sizeof.h";

/* Open MPI 4's mpif.h declares interfaces that differ in kinds which flang 19 still took for
 * different; later ones refuse it, in two thousand lines. NULL: it is not that. */
static char *refused_header(const struct compiler *compiler, const struct sca_words *shown)
{
    return compiler->version > 19 ? sca_fortran_find_file(shown, refused) : NULL;
}

static struct explanation header_explanation(const struct compiler *compiler,
                                             const struct sca_words *shown)
{
    char *header = refused_header(compiler, shown);
    char *text = header ? sca_words_format("flang %d does not accept %s of this Open MPI: use "
                                           "flang 19 (OMPI_FC=flang-new-19) or MPICH",
                                           compiler->version, header)
                        : NULL;
    return (struct explanation){text, text ? refused : NULL};
}

/* Puts a module that is made of mpif.h behind the user's folders, where MPI has none for flang. */
static void add_made_module(const struct compiler *compiler, struct sca_words *command,
                            const struct sca_words *shown)
{
    struct sca_words folders = {0};
    sca_fortran_add_folders(&folders, command);
    sca_fortran_add_folders(&folders, shown);
    if (sca_fortran_has_own(command, "mpi") || sca_fortran_has_own(shown, "mpi") ||
        refused_header(compiler, shown))
        return;
    char *header = sca_fortran_find_file(&folders, "mpif.h");
    char *foreign = sca_fortran_find_foreign(&folders, "mpi");
    char *folder = header && (foreign || compiler->mpi)
                       ? sca_fortran_module_kept(compiler, &folders, header, foreign)
                       : NULL;
    if (folder)
        sca_words_add(command, sca_words_format("-I%s", folder));
}

/* What one of the sources uses: see sca_fortran_module_used(). */
static const char *module_used(const struct request *request)
{
    const char *module = NULL;
    for (size_t i = 0; i < request->sources.count && !(module && *module); i++) {
        const char *used = sca_fortran_module_used(request->sources.list[i]);
        module = used ? used : module;
    }
    return module;
}

struct explanation sca_fortran_prepare(const struct compiler *compiler,
                                       const struct request *request, struct sca_words *command)
{
    const char *module = module_used(request);
    struct sca_words shown = {0};
    if (compiler->mpi && (module || compiler->version > 19))
        shown = shown_words(compiler);
    if (module && strcmp(module, "mpi_f08"))
        add_made_module(compiler, command, &shown);
    sca_fortran_put_own_first(command);
    char *text = module && *module ? module_explanation(module, command, &shown) : NULL;
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
