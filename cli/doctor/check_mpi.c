/* Which MPI is here, and whether it is the program's. */
#include "doctor/check.h"
#include "machine/batch.h"
#include "machine/launcher.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *package_of(enum sca_mpi_family family)
{
    return family == SCA_MPI_MPICH ? "mpich" : "openmpi-bin libopenmpi-dev";
}

/* Is a launcher of this family there? */
static bool check_family(struct sca_checks *c, enum sca_mpi_family family)
{
    char *path = sca_launcher_of_family(family, NULL);
    if (!path)
        return false;
    char *version = sca_launcher_version(path);
    sca_checks_works(c, "mpi", "%s: %s (%s)", sca_mpi_family_name(family), path, version);
    free(version);
    free(path);
    return true;
}

static void check_programs_mpi(struct sca_checks *c, const struct sca_target *t,
                               const struct sca_batch *batch)
{
    struct sca_launcher launcher;
    if (sca_launcher_find(NULL, batch, t, &launcher) == SCA_OK) {
        sca_checks_works(c, "launcher", "%s", launcher.words.list[0]);
        if (sca_launcher_check_user(&launcher) != SCA_OK) {
            sca_checks_lacks(c, "root", SCA_CHECK_BLIND,
                             "Open MPI does not run as root unless two variables allow it");
            sca_checks_mend(c, "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
        }
    } else {
        sca_checks_lacks(c, "launcher", SCA_CHECK_BLIND, "no launcher of %s, which %s links",
                         sca_mpi_family_name(t->mpi), t->path);
        sca_checks_mend_package(c, package_of(t->mpi), "the MPI that the program was built with");
    }
    sca_launcher_free(&launcher);
}

static void check_wrapper(struct sca_checks *c)
{
    char *path = sca_words_find_program("mpicc");
    if (path) {
        sca_checks_works(c, "mpicc", "%s", path);
    } else {
        sca_checks_lacks(c, "mpicc", SCA_CHECK_LACKS,
                         "no mpicc in PATH: MPI programs cannot be compiled here");
        sca_checks_mend_package(c, "libopenmpi-dev", "the compilers of an MPI library");
    }
    free(path);
}

void sca_check_mpi(struct sca_checks *c, const struct sca_target *t)
{
    struct sca_batch batch = sca_batch_here();
    int found = check_family(c, SCA_MPI_OPENMPI) + check_family(c, SCA_MPI_MPICH);
    check_wrapper(c);
    if (batch.system != SCA_BATCH_NONE)
        sca_checks_works(c, "batch", "inside a job of %s with room for %u ranks", batch.name,
                         batch.slots);
    if (t && t->mpi != SCA_MPI_NONE && t->mpi != SCA_MPI_ABI)
        check_programs_mpi(c, t, &batch);
    if (found || batch.system == SCA_BATCH_SLURM || batch.system == SCA_BATCH_FLUX)
        return;
    sca_checks_lacks(c, "mpi", SCA_CHECK_BLIND, "no launcher of Open MPI or MPICH in PATH");
    sca_checks_mend_package(c, package_of(SCA_MPI_OPENMPI), "an MPI library");
}
