#include "finish/other_launcher.h"
#include "mpi/abi.h"

#include <stdlib.h>
#include <string.h>

bool sca_other_launcher_silent(void)
{
    const char *ours = getenv("OMPI_COMM_WORLD_RANK"), *theirs = getenv("PMI_RANK");
    return (ours && atoi(ours) > 0) || (theirs && atoi(theirs) > 0);
}

static int is_several(const char *name)
{
    const char *value = getenv(name);
    return value && atoi(value) > 1;
}

/* A batch system's own launcher serves both. */
const char *sca_other_launcher(uint32_t size)
{
    int is_openmpi = !strcmp(sca_abi.name, "Open MPI");
    if (size != 1)
        return NULL;
    if (!is_openmpi && is_several("OMPI_COMM_WORLD_SIZE"))
        return "the program uses MPICH, but Open MPI's mpirun started it: each rank is a world of "
               "its own. Use MPICH's mpiexec (on Debian mpiexec.mpich)";
    if (is_openmpi && is_several("PMI_SIZE") && getenv("HYDI_CONTROL_FD"))
        return "the program uses Open MPI, but MPICH's mpiexec started it: each rank is a world of "
               "its own. Use Open MPI's mpirun (on Debian mpirun.openmpi)";
    return NULL;
}
