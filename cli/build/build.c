#include "build/build.h"
#include "base/process.h"
#include "build/compilers.h"
#include "sca_elf_program.h"
#include "sca_error.h"
#include "sca_words.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PROGRAMS = 8 }; /* that are named */

struct build_choice {
    bool no_fortran;
};

static int set_no_fortran(void *context, const char *value)
{
    (void)value;
    ((struct build_choice *)context)->no_fortran = true;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "no-fortran",
     .help = "keep the Fortran compiler as it is",
     .set = set_no_fortran,
     .detail = "For sources that flang rejects, such as those with the mpi_f08 of an MPI built "
               "with gfortran. Their loops are recovered from machine code."},
    {0}};

const struct sca_command sca_build_command = {
    .name = "scalana build",
    .usage = "scalana build [OPTION]... COMMAND [ARGUMENT]...\n"
             "       scalana build 'COMMAND && COMMAND ...'",
    .summary = "Runs a build command so that its compilers put the program's structure into the "
               "binaries. For make, cmake, meson, configure and scripts.",
    .options = options,
    .stop_at_operand = 1,
    .operand = "command"};

static int fail(int status)
{
    fprintf(stderr, "scalana: %s\n", sca_error_message());
    return status == SCA_EINVAL ? SCA_EXIT_USAGE : SCA_EXIT_FAILED;
}

/* Where scalana-static notes what it does (build_log.c there). */
static int open_log(char *path, size_t size)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(path, size, "%s/scalana-build-XXXXXX", temporary ? temporary : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0)
        return sca_fail(SCA_EIO, "cannot make %s: %s", path, strerror(errno));
    close(fd);
    setenv("SCALANA_BUILD_LOG", path, 1);
    return SCA_OK;
}

static bool has_text(const char *bytes, uint64_t size, const char *text)
{
    return bytes && memmem(bytes, size, text, strlen(text));
}

/* Configuration makes programs, too; those do not start MPI. */
static bool is_mpi_program(const char *path)
{
    struct sca_elf_program program;
    uint64_t size = 0;
    if (access(path, X_OK) || sca_elf_program_open(&program, path) != SCA_OK)
        return false;
    const char *names = sca_elf_program_section(&program, ".dynstr", &size);
    bool is = sca_elf_program_interpreter(&program) &&
              (has_text(names, size, "MPI_Init") || has_text(names, size, "mpi_init_") ||
               has_text(names, size, "MPI_Session_init"));
    sca_elf_program_close(&program);
    return is;
}

static bool knows(const struct sca_words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (!strcmp(words->list[i], word))
            return true;
    return false;
}

/* Adds the programs that are still there: a configure script makes others. How many compilations.
 */
static unsigned read_log(const char *path, struct sca_words *programs)
{
    char line[PATH_MAX + 16];
    unsigned compiled = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *output = !strncmp(line, "link ", 5) ? line + 5 : NULL;
        compiled += !output;
        if (output && !knows(programs, output) && is_mpi_program(output))
            sca_words_add(programs, output);
    }
    if (file)
        fclose(file);
    return compiled;
}

/* As a user would type it in the working directory. */
static char *short_name(const char *path)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length && !strncmp(path, here, length) && path[length] == '/';
    return below ? sca_words_format("./%s", path + length + 1) : sca_words_format("%s", path);
}

static void say_programs(const struct sca_words *programs)
{
    for (size_t i = 0; i < programs->count && i < MOST_PROGRAMS; i++) {
        char *name = short_name(programs->list[i]), *quoted = sca_process_quote(name);
        fprintf(stderr, "scalana: %s has its structure inside. Next: scalana run -- %s\n", quoted,
                quoted);
        free(quoted);
        free(name);
    }
    if (programs->count > MOST_PROGRAMS)
        fprintf(stderr, "scalana: so have %zu more programs\n", programs->count - MOST_PROGRAMS);
}

/* The build's own messages come first; nothing is added where ScalAna had no part in it. */
static void say_failed(bool fortran)
{
    fprintf(stderr,
            "scalana: the build failed. Where clang%s rejects the sources, %sbuild as before: "
            "scalana run accepts programs of any compiler\n",
            fortran ? " or flang" : "", fortran ? "use scalana build --no-fortran, or " : "");
}

static void say_what_was_built(const char *log, int status, bool fortran)
{
    struct sca_words programs = {0};
    unsigned compiled = read_log(log, &programs);
    if (status && compiled)
        say_failed(fortran);
    else if (!status && programs.count)
        say_programs(&programs);
    else if (!status && !compiled)
        fputs("scalana: ScalAna's compilers compiled nothing. Everything was up to date, or the "
              "build sets its own compilers. Build from scratch, or continue with scalana run, "
              "which recovers loops from machine code\n",
              stderr);
    sca_words_free(&programs);
}

/* One word with blanks is a line for the shell. */
static int run_command(char **command)
{
    int signal = 0;
    char *line[] = {(char *)"sh", (char *)"-c", command[0], NULL};
    bool is_line = !command[1] && strpbrk(command[0], " \t\n;&|");
    return sca_process_run(is_line ? line : command, &signal);
}

static int build(const struct build_choice *choice, char **command)
{
    char log[PATH_MAX];
    bool fortran = !choice->no_fortran && sca_compilers_have_fortran();
    int status = sca_compilers_check();
    if (status == SCA_OK)
        status = sca_compilers_replace(fortran);
    if (status == SCA_OK)
        status = open_log(log, sizeof log);
    if (status != SCA_OK)
        return fail(status);
    int result = run_command(command);
    say_what_was_built(log, result, fortran);
    unlink(log);
    return result;
}

int sca_build_main(int argc, char **argv)
{
    struct build_choice choice = {0};
    int operands = 0;
    int status = sca_options_parse(&sca_build_command, &choice, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status == SCA_OK && !operands)
        status =
            sca_fail(SCA_EINVAL, "no build command given: scalana build make -j4 (see --help)");
    if (status != SCA_OK)
        return fail(status);
    argv[1 + operands] = NULL;
    return build(&choice, argv + 1);
}
