#include "machine/target.h"
#include "base/process.h"
#include "sca_elf_program.h"
#include "sca_error.h"
#include "sca_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COMPILERS = 8 };

static bool starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static enum sca_mpi_family family_of(const char *library)
{
    static const struct {
        const char *prefix;
        enum sca_mpi_family family;
    } known[] = {
        {"libmpi_abi.so", SCA_MPI_ABI},     {"libmpich.so", SCA_MPI_MPICH},
        {"libmpi.so.12", SCA_MPI_MPICH},    {"libmpi_cray.so", SCA_MPI_MPICH},
        {"libmpi_gnu", SCA_MPI_MPICH},      {"libmpi_amd", SCA_MPI_MPICH},
        {"libmpi_intel.so", SCA_MPI_MPICH}, {"libmpi.so", SCA_MPI_OPENMPI},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts_with(library, known[i].prefix))
            return known[i].family;
    return SCA_MPI_NONE;
}

static void note_library(struct sca_target *t, const char *name, const char *path, bool there)
{
    enum sca_mpi_family family = family_of(name);
    if (family != SCA_MPI_NONE && t->mpi == SCA_MPI_NONE) {
        t->mpi = family;
        t->mpi_library = sca_words_format("%s", path);
    }
    t->threaded |= starts_with(name, "libgomp.so") || starts_with(name, "libomp.so") ||
                   starts_with(name, "libiomp5.so");
    if (!there && !t->not_found)
        t->not_found = sca_words_format("%s", name);
}

/* "\tlibmpi.so.40 => /usr/lib/libmpi.so.40 (0x7f...)", "\tlibx.so => not found" */
static void read_list(struct sca_target *t, char *text)
{
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char name[512], path[4096] = "";
        if (sscanf(line, " %511s => %4095s", name, path) < 1)
            continue;
        bool lost = !strcmp(path, "not") && strstr(line, "=> not found");
        note_library(t, sca_words_base_name(name), lost || !*path ? name : path, !lost);
    }
}

static void read_named(struct sca_target *t, const struct sca_elf_program *program)
{
    uint64_t at = 0;
    for (const char *name; (name = sca_elf_program_needed(program, &at));)
        note_library(t, name, name, true);
}

/* "./p: error while loading shared libraries: libx.so: cannot open ..." */
static void read_complaint(struct sca_target *t, const char *text)
{
    static const char mark[] = "loading shared libraries: ";
    const char *at = strstr(text, mark);
    if (at && !t->not_found)
        t->not_found =
            sca_words_format("%.*s", (int)strcspn(at + strlen(mark), ":\n"), at + strlen(mark));
}

/* Where a library is missing, or the program is another machine's, there is no list: then what it
 * names itself is all that is known. */
static void read_libraries(struct sca_target *t, const struct sca_elf_program *program)
{
    char *linker = (char *)sca_elf_program_interpreter(program);
    int status;
    char *text =
        sca_process_output((char *[]){linker, (char *)"--list", t->path, NULL}, 1, &status);
    if (strstr(text, "=>")) {
        read_list(t, text);
    } else {
        read_named(t, program);
        read_complaint(t, text);
    }
    free(text);
}

/* Each compiler has signed the section .comment. GCC's name is in every program, for it made the
 * start files: it counts where there is no other. */
static char *read_compilers(const struct sca_elf_program *program)
{
    uint64_t size = 0;
    const char *text = sca_elf_program_section(program, ".comment", &size);
    const char *gcc = NULL;
    char *all = sca_words_format("%s", "");
    for (const char *at = text; text && at < text + size;) {
        size_t length = strnlen(at, (size_t)(text + size - at));
        if (at[length < (size_t)(text + size - at) ? length : 0])
            break; /* not ended */
        if (starts_with(at, "GCC:")) {
            gcc = at;
        } else if (length && !starts_with(at, "Linker:")) {
            char *longer = sca_words_format("%s%s%s", all, *all ? "; " : "", at);
            free(all);
            all = longer;
        }
        at += length + 1;
    }
    if (*all || !gcc)
        return all;
    free(all);
    return sca_words_format("%s", gcc);
}

static void look_inside(struct sca_target *t, const struct sca_elf_program *program)
{
    uint64_t size;
    t->kind = sca_elf_program_interpreter(program) ? SCA_TARGET_DYNAMIC : SCA_TARGET_STATIC;
    t->has_graph = sca_elf_program_section(program, ".scalana.psg", &size) != NULL;
    t->has_lines = sca_elf_program_section(program, ".debug_line", &size) ||
                   sca_elf_program_section(program, ".gnu_debuglink", &size);
    free(t->compilers);
    t->compilers = read_compilers(program);
    if (t->kind == SCA_TARGET_DYNAMIC)
        read_libraries(t, program);
}

static int refuse(const char *name)
{
    if (access(name, F_OK))
        return sca_fail(SCA_ENOTFOUND, "%s: no such program", name);
    if (!strchr(name, '/'))
        return sca_fail(SCA_ENOTFOUND, "%s is not in PATH: use ./%s", name, name);
    return sca_fail(SCA_ENOTFOUND, "%s cannot be run: it is not an executable file", name);
}

int sca_target_look(const char *name, struct sca_target *t)
{
    struct sca_elf_program program;
    *t = (struct sca_target){.path = sca_words_find_program(name)};
    if (!t->path)
        return refuse(name);
    t->compilers = sca_words_format("%s", "");
    if (sca_elf_program_open(&program, t->path) == SCA_OK) {
        look_inside(t, &program);
        sca_elf_program_close(&program);
    }
    return SCA_OK;
}

void sca_target_free(struct sca_target *t)
{
    free(t->path);
    free(t->mpi_library);
    free(t->not_found);
    free(t->compilers);
    *t = (struct sca_target){0};
}

const char *sca_mpi_family_name(enum sca_mpi_family family)
{
    static const char *const names[] = {"no MPI", "Open MPI", "MPICH", "the standard ABI of MPI 5"};
    return names[family];
}
