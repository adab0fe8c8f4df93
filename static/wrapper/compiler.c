#include "wrapper/wrapper.h"
#include "sca_error.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const driver_names[LANG_COUNT] = {"clang", "clang++", "flang-new"};
/* How MPI wrappers are told which compiler to use: Open MPI, MPICH, Intel MPI. */
static const char *const variables[LANG_COUNT][6] = {
    {"OMPI_CC", "MPICH_CC", "I_MPI_CC", NULL},
    {"OMPI_CXX", "MPICH_CXX", "I_MPI_CXX", NULL},
    {"OMPI_FC", "MPICH_FC", "MPICH_F90", "MPICH_F77", "I_MPI_FC", NULL},
};

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static bool starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

/* "clang++-19", "flang-new", "clang": the language; LANG_COUNT if the name is no LLVM compiler. */
static enum language llvm_language(const char *base)
{
    if (starts_with(base, "flang"))
        return LANG_FORTRAN;
    if (starts_with(base, "clang++"))
        return LANG_CXX;
    return !strcmp(base, "clang") || (starts_with(base, "clang-") && isdigit(base[6])) ? LANG_C
                                                                                       : LANG_COUNT;
}

/* The number behind `mark` in text, or 0. */
static int number_after(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    return at && isdigit((unsigned char)at[strlen(mark)]) ? atoi(at + strlen(mark)) : 0;
}

/* Version from the name, else from where the link leads, else by asking; 0: not clang or flang. */
static int llvm_version(const char *path)
{
    char real[PATH_MAX];
    const char *base = sca_words_base_name(path), *dash = strrchr(base, '-');
    bool llvm = llvm_language(base) != LANG_COUNT;
    if (llvm && dash && isdigit((unsigned char)dash[1]))
        return atoi(dash + 1);
    if (llvm && realpath(path, real) && number_after(real, "/llvm-"))
        return number_after(real, "/llvm-");
    char *line = sca_system_first_line((char *[]){(char *)path, (char *)"--version", NULL});
    if (!line || starts_with(line, "Intel"))
        return 0;
    int version = number_after(line, "clang version ");
    return version                                    ? version
           : number_after(line, "flang-new version ") ? number_after(line, "flang-new version ")
                                                      : number_after(line, "flang version ");
}

static bool is_ours(const char *path)
{
    char *plugin = path ? sca_plugins_find(llvm_version(path)) : NULL;
    bool ours = plugin != NULL;
    free(plugin);
    return ours;
}

/* The compiler where the choice is ours: the plain one of PATH if there is a plugin for it, else
 * that of the default LLVM, by its Debian name or where LLVM was built. */
static char *our_compiler(enum language language)
{
    const char *const plain[] = {driver_names[language], language == LANG_FORTRAN ? "flang" : NULL};
    char *found = NULL;
    for (size_t i = 0; i < 2 && plain[i] && !found; i++) {
        found = sca_words_find_program(plain[i]);
        found = is_ours(found) ? found : NULL;
    }
    for (size_t i = 0; i < 2 && plain[i] && !found; i++)
        found = sca_words_find_program(sca_words_format("%s-%d", plain[i], SCA_LLVM_MAJOR));
    for (size_t i = 0; i < 2 && plain[i] && !found; i++)
        found = sca_words_find_program(sca_words_format("%s/%s", SCA_LLVM_BIN, plain[i]));
    return found;
}

static int refuse(const char *what, const char *command, int version)
{
    char *versions = sca_plugins_versions();
    const char *which = *what ? ", which" : "";
    if (!versions)
        return sca_fail(SCA_ENOTFOUND, "lib/scalana/libscalana-pass.so is missing next to bin/: "
                                       "the installation of ScalAna is incomplete");
    if (version)
        return sca_fail(SCA_EINVAL, "%s%s%s is LLVM %d, but this ScalAna was built for LLVM %s",
                        what, command, which, version, versions);
    return sca_fail(SCA_EINVAL,
                    "%s%s%s is not clang or flang: ScalAna analyses programs compiled with LLVM %s "
                    "(clang-%d, clang++-%d, flang-new-%d)",
                    what, command, which, versions, SCA_LLVM_MAJOR, SCA_LLVM_MAJOR, SCA_LLVM_MAJOR);
}

static int check_llvm(struct compiler *c, const char *what, const char *command)
{
    char *path = sca_words_find_program(command);
    if (!path)
        return sca_fail(SCA_EINVAL, "%s%s: no such compiler", what, command);
    c->version = llvm_version(path);
    return is_ours(path) ? SCA_OK : refuse(what, command, c->version);
}

bool sca_compiler_is_launcher(const char *command)
{
    static const char *const names[] = {"ccache", "sccache", "distcc", "icecc", "buildcache"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(sca_words_base_name(command), names[i]))
            return true;
    return false;
}

/* ---- MPI wrappers ---- */

static enum language mpi_language(const char *base)
{
    static const char *const cxx[] = {"mpicxx", "mpic++", "mpiCC", "mpig++", "mpiicpc", "mpiicpx"};
    for (size_t i = 0; i < sizeof cxx / sizeof *cxx; i++)
        if (starts_with(base, cxx[i]))
            return LANG_CXX;
    if (starts_with(base, "mpif") || starts_with(base, "mpiif"))
        return LANG_FORTRAN;
    return starts_with(base, "mpicc") || starts_with(base, "mpiicc") || starts_with(base, "mpiicx")
               ? LANG_C
               : LANG_COUNT;
}

/* flang rejects what distributions bake into MPICH's wrapper for gfortran: then its words are
 * used without those options. Where it looks comes behind where the user says. */
static void avoid_foreign_options(struct compiler *c, const char *shown)
{
    struct sca_words words = {0};
    bool foreign = false;
    sca_words_split(&words, shown);
    for (size_t i = 1; i < words.count; i++)
        foreign |= starts_with(words.list[i], "-f");
    for (size_t i = 0; foreign && i < words.count; i++) {
        bool behind = starts_with(words.list[i], "-l") || starts_with(words.list[i], "-L") ||
                      starts_with(words.list[i], "-I") || starts_with(words.list[i], "-Wl,");
        bool keep = i == 0 || behind || starts_with(words.list[i], "-O") ||
                    starts_with(words.list[i], "-D");
        if (keep)
            sca_words_add(behind ? &c->after : &c->plain, words.list[i]);
    }
}

/* Open MPI's C and C++ wrappers run what OMPI_CC and OMPI_CXX say: no need to start one for its
 * words, which takes as long as all that is done here. */
static bool runs_what_it_is_told(const struct compiler *c)
{
    char real[PATH_MAX];
    char *path = c->language == LANG_FORTRAN ? NULL : sca_words_find_program(c->command);
    bool told = path && realpath(path, real) && !strcmp(sca_words_base_name(real), "opal_wrapper");
    free(path);
    return told;
}

static char *ask_what_it_runs(const struct compiler *c, const struct request *request)
{
    struct sca_words words = {0};
    sca_words_add(&words, c->command);
    sca_words_add(&words, "-show");
    if (!request->links)
        sca_words_add(&words, "-c");
    for (size_t i = 0; i < request->choices.count; i++)
        sca_words_add(&words, request->choices.list[i]);
    char *line = sca_system_first_line(words.list);
    sca_words_free(&words);
    return line;
}

/* What of the user's decides which compiler the wrapper runs; NULL: the choice is ours. */
static const char *users_choice(const struct compiler *c, const struct request *request, bool told)
{
    const char *set = NULL;
    for (const char *const *v = variables[c->language]; *v; v++)
        set = getenv(*v) ? sca_words_format("%s set", *v) : set;
    return request->choices.count && !told ? request->choices.list[0] : set;
}

static bool is_our_link(const char *command)
{
    return starts_with(sca_words_base_name(command), "scalana-");
}

/* A wrapper that ran a link to this program would do all that is done here again. */
static void forget_our_links(enum language language)
{
    for (const char *const *v = variables[language]; *v; v++)
        if (getenv(*v) && is_our_link(getenv(*v)))
            unsetenv(*v);
}

/* -cc=scalana-clang: a link to scalana-static runs what is ours. */
static const char *behind_link(const char *command, char *ours)
{
    return ours && is_our_link(command) ? ours : command;
}

static int check_mpi_wrapper(struct compiler *c, const struct request *request)
{
    bool told = runs_what_it_is_told(c);
    forget_our_links(c->language);
    const char *set = users_choice(c, request, told);
    char *ours = our_compiler(c->language);
    for (const char *const *v = variables[c->language]; *v && ours; v++)
        setenv(*v, ours, 0);
    if (!ours && !set)
        return sca_fail(SCA_EINVAL, "%s-%d is not installed; %s would use another compiler",
                        driver_names[c->language], SCA_LLVM_MAJOR, c->command);
    if (ours && !set && told)
        return check_llvm(c, "", ours);
    const char *own = getenv(variables[c->language][0]);
    const char *shown = told && own && *own ? own : ask_what_it_runs(c, request);
    if (!shown || !*shown)
        return sca_fail(SCA_EINVAL, "%s -show: no such MPI compiler wrapper, or it failed",
                        c->command);
    if (!strcmp(shown, SCA_WRAPPER_NAME))
        return sca_fail(SCA_EINVAL,
                        "%s in PATH is a link or a script that leads back to " SCA_WRAPPER_NAME
                        ": give the path of the MPI's own compiler wrapper",
                        c->command);
    struct sca_words words = {0};
    sca_words_split(&words, shown);
    char **real = words.list;
    while (sca_compiler_is_launcher(*real) && real[1]) /* OMPI_CC="ccache clang" */
        real++;
    int status = check_llvm(c,
                            set ? sca_words_format("%s (with %s) uses ", c->command, set)
                                : sca_words_format("%s uses ", c->command),
                            behind_link(*real, ours));
    if (!status && c->language == LANG_FORTRAN)
        avoid_foreign_options(c, shown);
    return status;
}

int sca_compiler_find(struct compiler *c, const char *command, const struct request *request)
{
    const char *base = sca_words_base_name(command);
    *c = (struct compiler){.command = command, .language = mpi_language(base)};
    if (c->language != LANG_COUNT) {
        c->mpi = true;
        return check_mpi_wrapper(c, request);
    }
    c->language = llvm_language(base);
    /* A plain name asks for that compiler, whichever version comes first in PATH. */
    bool plain = !strcmp(base, "flang") ||
                 (c->language != LANG_COUNT && !strcmp(base, driver_names[c->language]));
    if (plain && base == command) {
        char *ours = our_compiler(c->language);
        if (ours)
            c->command = ours;
    }
    if (c->language == LANG_COUNT)
        c->language = ends_with(base, "++") ? LANG_CXX : LANG_C;
    return check_llvm(c, "", c->command);
}
