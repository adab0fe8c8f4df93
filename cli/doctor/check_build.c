/* The installation, and the compilers behind it. */
#include "doctor/check.h"
#include "base/installation.h"
#include "base/process.h"
#include "sca_words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SCA_LLVM_MAJOR
#define SCA_LLVM_MAJOR 19
#endif

static void check_commands(struct sca_checks *c)
{
    static const char *const names[] = {"scalana-static", "scalana-prof", "scalana-detect",
                                        "scalana-viewer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = sca_installation_command(names[i]);
        if (!path) {
            sca_checks_lacks(c, "installation", SCA_CHECK_BLIND, "%s is not installed", names[i]);
            sca_checks_mend(c, "cmake --install BUILD --prefix PREFIX");
            return;
        }
        free(path);
    }
    char *prefix = sca_installation_path("bin");
    sca_checks_works(c, "installation", "ScalAna %s in %s", SCA_VERSION, prefix);
    free(prefix);
}

static void check_runtime(struct sca_checks *c)
{
    char *path = sca_installation_path("lib/libscalana-prof.so");
    if (access(path, R_OK)) {
        sca_checks_lacks(c, "runtime", SCA_CHECK_BLIND, "%s is missing", path);
        sca_checks_mend(c, "cmake --install BUILD --prefix PREFIX");
    } else if (path[strcspn(path, " :")]) {
        sca_checks_lacks(c, "runtime", SCA_CHECK_BLIND,
                         "the path of %s has a blank or a colon: LD_PRELOAD cannot name it", path);
        sca_checks_mend(c, "move the installation to a path without blanks and colons");
    } else {
        sca_checks_works(c, "runtime", "%s", path);
    }
    free(path);
}

/* The first line of what a compiler of ours says of itself, NULL: it cannot be used. */
static char *version_of(const char *link)
{
    int status;
    char *path = sca_installation_command(link);
    if (!path)
        return NULL;
    char *text = sca_process_output((char *[]){path, (char *)"--version", NULL}, 1, &status);
    free(path);
    text[strcspn(text, "\n")] = '\0';
    if (!status)
        return text;
    free(text);
    return NULL;
}

static void check_compiler(struct sca_checks *c, const char *name, const char *link,
                           const char *package, const char *without)
{
    char *version = version_of(link), *full = sca_words_format("%s-%d", package, SCA_LLVM_MAJOR);
    char *what = sca_words_format("%s of LLVM %d", package, SCA_LLVM_MAJOR);
    if (version) {
        sca_checks_works(c, name, "%s", version);
    } else {
        sca_checks_lacks(c, name, SCA_CHECK_LACKS, "no %s that ScalAna can use: %s", package,
                         without);
        sca_checks_mend_package(c, full, what);
    }
    free(what);
    free(full);
    free(version);
}

void sca_check_build(struct sca_checks *c)
{
    check_commands(c);
    check_runtime(c);
    check_compiler(c, "compiler", "scalana-clang", "clang",
                   "scalana build does not work; loops are recovered from machine code");
    check_compiler(c, "fortran", "scalana-flang-new", "flang",
                   "Fortran keeps its own compiler; its loops are recovered from machine code");
}
