#include "build/compilers.h"
#include "base/installation.h"
#include "base/process.h"
#include "build/compiler_links.h"
#include "sca_error.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tools {
    char *wrapper; /* scalana-static */
    char *links;   /* the folder in front of PATH */
};

/* A variable, the MPI compiler that it gets where the user named none, and ours without an MPI. */
struct replacement {
    const char *variable, *mpi, *plain;
};

static const struct replacement c_variables[] = {
    {"CC", "mpicc", "scalana-clang"},
    {"CXX", "mpicxx", "scalana-clang++"},
    {"MPICC", "mpicc", NULL},
    {"MPICXX", "mpicxx", NULL},
    {"MPI_CC", "mpicc", NULL},
    {"MPI_CXX", "mpicxx", NULL},
    {NULL, NULL, NULL},
};
static const struct replacement fortran_variables[] = {
    {"FC", "mpifort", "scalana-flang-new"},
    {"F77", "mpifort", "scalana-flang-new"},
    {"F90", "mpifort", "scalana-flang-new"},
    {"MPIFC", "mpifort", NULL},
    {"MPIF77", "mpifort", NULL},
    {"MPIF90", "mpifort", NULL},
    {"MPIFORT", "mpifort", NULL},
    {"MPI_FC", "mpifort", NULL},
    {NULL, NULL, NULL},
};
/* What MPI's wrappers run, for builds that call them by a path. */
static const struct replacement c_behind[] = {
    {"I_MPI_CC", NULL, "scalana-clang"},
    {"I_MPI_CXX", NULL, "scalana-clang++"},
    {"OMPI_CC", NULL, "scalana-clang"},
    {"MPICH_CC", NULL, "scalana-clang"},
    {"OMPI_CXX", NULL, "scalana-clang++"},
    {"MPICH_CXX", NULL, "scalana-clang++"},
    {NULL, NULL, NULL},
};
static const struct replacement fortran_behind[] = {
    {"I_MPI_FC", NULL, "scalana-flang-new"},
    {"OMPI_FC", NULL, "scalana-flang-new"},
    {"MPICH_FC", NULL, "scalana-flang-new"},
    {"MPICH_F77", NULL, "scalana-flang-new"},
    {NULL, NULL, NULL},
};

/* Does this compiler of ours run, and say what it is? */
static bool works(const char *name)
{
    int status = 1;
    char *path = sca_installation_command(name);
    if (path)
        free(sca_process_output((char *[]){path, (char *)"--version", NULL}, 1, &status));
    free(path);
    return status == 0;
}

int sca_compilers_check(void)
{
    int status;
    char *path = sca_installation_command("scalana-clang");
    if (!path)
        return SCA_ENOTFOUND;
    char *text = sca_process_output((char *[]){path, (char *)"--version", NULL}, 1, &status);
    text[strcspn(text, "\n")] = '\0';
    free(path);
    if (status)
        sca_fail(SCA_ENOTFOUND, "%s; scalana doctor lists what to install", text);
    free(text);
    return status ? SCA_ENOTFOUND : SCA_OK;
}

bool sca_compilers_have_fortran(void)
{
    return works("scalana-flang-new");
}

static char *link_path(const struct tools *tools, const char *name)
{
    char *path = sca_words_format("%s/%s", tools->links, name);
    if (!access(path, X_OK))
        return path;
    free(path);
    return NULL;
}

/* What the user's compiler becomes: the link of that name where it is an MPI compiler of PATH,
 * behind scalana-static where it is one by its path, else NULL. */
static bool is_llvm(const char *command)
{
    const char *base = sca_words_base_name(command);
    return !strncmp(base, "clang", 5) || !strncmp(base, "flang", 5);
}

static char *wrapped(const struct tools *tools, const char *given)
{
    const char *base = sca_words_base_name(given);
    if (strchr(given, ' ') || is_llvm(given))
        return sca_words_format("%s %s", tools->wrapper, given);
    if (!sca_compiler_links_is_mpi(base, false) && !sca_compiler_links_is_mpi(base, true))
        return NULL;
    char *link = base == given ? link_path(tools, base) : NULL;
    return link ? link : sca_words_format("%s %s", tools->wrapper, given);
}

static char *chosen(const struct tools *tools, const struct replacement *r)
{
    char *link = r->mpi ? link_path(tools, r->mpi) : NULL;
    return link || !r->plain ? link : sca_installation_command(r->plain);
}

static void set_and_say(const char *variable, const char *given, const char *ours)
{
    if (given && *given)
        fprintf(stderr, "scalana: %s=%s is replaced by %s\n", variable, given, ours);
    setenv(variable, ours, 1);
}

static void replace(const struct tools *tools, const struct replacement *r)
{
    const char *given = getenv(r->variable);
    if (given && strstr(given, "scalana"))
        return;
    char *around = given && *given ? wrapped(tools, given) : NULL;
    char *ours = around ? NULL : chosen(tools, r);
    if (around)
        setenv(r->variable, around, 1);
    else if (ours)
        set_and_say(r->variable, given, ours);
    free(around);
    free(ours);
}

/* A compiler of LLVM that the user has put behind MPI's wrapper stays there. */
static void set_behind(const struct replacement *list)
{
    for (; list->variable; list++) {
        const char *given = getenv(list->variable);
        char *ours = given && (is_llvm(given) || strstr(given, "scalana"))
                         ? NULL
                         : sca_installation_command(list->plain);
        if (ours)
            set_and_say(list->variable, given, ours);
        free(ours);
    }
}

static void replace_all(const struct tools *tools, const struct replacement *list)
{
    for (; list->variable; list++)
        replace(tools, list);
}

static void put_in_front(const char *folder)
{
    const char *path = getenv("PATH");
    char *longer = sca_words_format("%s:%s", folder, path ? path : "/usr/bin:/bin");
    setenv("PATH", longer, 1);
    free(longer);
}

int sca_compilers_replace(bool fortran)
{
    struct tools tools = {.wrapper = sca_installation_command("scalana-static")};
    if (!tools.wrapper)
        return SCA_ENOTFOUND;
    tools.links = sca_compiler_links_make(tools.wrapper, fortran);
    if (!tools.links) {
        free(tools.wrapper);
        return SCA_EIO;
    }
    replace_all(&tools, c_variables);
    set_behind(c_behind);
    if (fortran) {
        replace_all(&tools, fortran_variables);
        set_behind(fortran_behind);
    }
    put_in_front(tools.links);
    free(tools.links);
    free(tools.wrapper);
    return SCA_OK;
}
