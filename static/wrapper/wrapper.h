/*
 * scalana-static as a compiler wrapper: what it learns of a command line, and the command it
 * makes of it. Everything lives until the process becomes the compiler; nothing is freed, for
 * exec or exit follows at once. Single-threaded. Failures are SCA_E... with a message.
 */
#ifndef WRAPPER_H
#define WRAPPER_H

#include "sca_words.h"
#include <stdbool.h>

enum language { LANG_C, LANG_CXX, LANG_FORTRAN, LANG_COUNT };

/* The compiler that was asked for, and the one that will really compile. */
struct compiler {
    const char *command; /* as the user wrote it, or what takes its place */
    bool mpi;            /* command is an MPI wrapper */
    int version;         /* of the LLVM that compiles */
    enum language language;
    struct sca_words
        plain; /* if not empty: run this instead of `command`; user's words go between */
    struct sca_words after; /* what goes behind the user's words then: -I, -l */
};

/* What the arguments ask for. Response files are looked into, but passed on as they are. */
struct request {
    bool untouched; /* preprocessing, assembly text, questions: nothing to instrument */
    bool compiles;  /* names a source */
    bool links;
    bool debug; /* line tables are asked for already */
    bool debug_off_last;
    bool keeps_text; /* the assembler reads what the compiler wrote as text */
    bool lto, lld;
    const char *refused; /* an option that needs the discriminators for itself */
    /* Options that would overwrite the vertex ids, negated: they change what is noted for a later
     * compilation, not the program. */
    struct sca_words taken_back;
    struct sca_words choices; /* words by which MPICH's wrappers are told what to run */
    struct sca_words sources;
};

void sca_scan_request(struct request *request, char **arguments);
/* An option, a source, an object, a response file: what stands behind a compiler's name. */
bool sca_scan_follows_compiler(const char *word);
/* -cc=clang and the like. */
bool sca_scan_chooses_compiler(const char *word);

/* Identifies the compiler, pointing an MPI wrapper to clang or flang by its environment. */
int sca_compiler_find(struct compiler *compiler, const char *command,
                      const struct request *request);
/* A program that runs the compiler given behind it, such as ccache. */
bool sca_compiler_is_launcher(const char *command);

/* Where `plain` is run instead of an MPI wrapper: what the wrapper would have answered itself. */
enum answer { ANSWER_NONE, ANSWER_GIVEN, ANSWER_BY_WRAPPER /* run it as it is */ };
enum answer sca_answer_in_place(const struct compiler *compiler, char **arguments);

/* The pass for compilers of this LLVM version; NULL if ScalAna was not built for it. */
char *sca_plugins_find(int version);
/* "19 and 22": the versions ScalAna was built for; NULL if no plugin is there at all. */
char *sca_plugins_versions(void);

/* Runs the compiler: returns only with an exit status. */
int sca_wrapper_run(char **command, unsigned long max_loop_depth);

/* What to tell the user, should a compilation fail. */
struct explanation {
    char *text;       /* NULL: nothing */
    const char *mark; /* only if the compiler's messages have this in them; NULL: in any case */
};

/* Makes the command one that finds a module mpi which flang can read, if its sources use one and
 * MPI has none: that one is made of mpif.h, and kept in the user's cache. What to say where there
 * is no way: `use mpi_f08`, a header that flang refuses. (The line that uses a module may be
 * commented out by the preprocessor.) */
struct explanation sca_fortran_prepare(const struct compiler *compiler,
                                       const struct request *request, struct sca_words *command);
/* Runs the command and, if it fails, ends its messages with the explanation. Its exit status. */
int sca_fortran_run_and_explain(char *const *command, const struct explanation *explanation);
/* Makes a module mpi of mpif.h in `folder`; returns only with an exit status. */
int sca_fortran_module_make(const char *folder, char *mpifort);
/* The folder in the user's cache that has such a module, made now if it is not there: of the
 * header, which lies in one of `folders` (-I words), instead of `replaced` (NULL: of nothing).
 * Another header, or another compiler, has another folder. NULL: it cannot be made or kept. */
char *sca_fortran_module_kept(const struct compiler *compiler, const struct sca_words *folders,
                              const char *header, const char *replaced);

/* Notes for `scalana build` what is compiled and linked: a line in the file that SCALANA_BUILD_LOG
 * names, "compile" or "link PATH". */
void sca_build_log_note(const struct request *request, char **arguments);

/* Whether another scalana-static asks what this one is: then the compiler that it was given leads
 * back here. It is to answer SCA_WRAPPER_NAME. */
bool sca_system_is_asked(void);
#define SCA_WRAPPER_NAME "scalana-static"
/* A compiler's name, or its path where the first of that name in PATH is a link to this program:
 * then the next one is meant. */
char *sca_system_pass_over(char *name);
/* First line of what a command prints, NULL if it could not be run. */
char *sca_system_first_line(char *const *command);

#endif
