/* The program: can a run of it be recorded, and how much will be known of its lines? */
#include "doctor/check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static void blind(struct sca_checks *c, const char *path, const char *what)
{
    sca_checks_lacks(c, "program", SCA_CHECK_BLIND, "%s %s", path, what);
}

/* With more rights than its user the dynamic linker preloads nothing from a user's folder. */
static void check_rights(struct sca_checks *c, const struct sca_target *t)
{
    struct stat st;
    if (!stat(t->path, &st) && st.st_mode & (S_ISUID | S_ISGID)) {
        blind(c, t->path, "runs with its owner's rights: nothing can be preloaded into it");
        sca_checks_mend(c, "chmod ug-s %s", t->path);
    }
    if (getxattr(t->path, "security.capability", NULL, 0) > 0) {
        blind(c, t->path, "has file capabilities: nothing can be preloaded into it");
        sca_checks_mend(c, "setcap -r %s", t->path);
    }
}

static void check_libraries(struct sca_checks *c, const struct sca_target *t)
{
    if (t->not_found) {
        sca_checks_lacks(c, "program", SCA_CHECK_BLIND, "%s needs %s, which is not found", t->path,
                         t->not_found);
        sca_checks_mend(c, "load the module it was built with, or export LD_LIBRARY_PATH=DIR");
    }
    if (t->mpi == SCA_MPI_NONE) {
        blind(c, t->path, "links no MPI library");
        sca_checks_mend(c, "link it with mpicc, mpicxx or mpifort; or name the MPI program itself");
    } else if (t->mpi == SCA_MPI_ABI) {
        blind(c, t->path, "links the standard ABI of MPI 5, which ScalAna cannot record yet");
        sca_checks_mend(c, "link it with the MPI's own library");
    } else {
        sca_checks_works(c, "program", "%s links %s (%s)", t->path, sca_mpi_family_name(t->mpi),
                         t->mpi_library);
    }
}

static void check_lines(struct sca_checks *c, const struct sca_target *t)
{
    if (t->has_graph)
        sca_checks_works(c, "lines", "has its structure inside: loops, branches, lines");
    else if (t->has_lines)
        sca_checks_works(c, "lines",
                         "has debug information: loops are recovered with their lines (scalana "
                         "build adds branches)");
    if (t->has_graph || t->has_lines)
        return;
    sca_checks_lacks(c, "lines", SCA_CHECK_LACKS,
                     "no debug information: functions and addresses instead of lines");
    sca_checks_mend(c, "scalana build make (or compile with -g)");
}

void sca_check_program(struct sca_checks *c, const struct sca_target *t)
{
    if (t->kind == SCA_TARGET_SCRIPT) {
        sca_checks_lacks(c, "program", SCA_CHECK_LACKS,
                         "%s is not an ELF program: what it starts cannot be checked", t->path);
        sca_checks_mend(c, "scalana doctor with the MPI program itself");
        return;
    }
    if (t->kind == SCA_TARGET_STATIC) {
        blind(c, t->path, "is statically linked: nothing can be preloaded into it");
        sca_checks_mend(c, "link it with shared libraries (without -static)");
    } else {
        check_libraries(c, t);
        check_rights(c, t);
    }
    check_lines(c, t);
}
