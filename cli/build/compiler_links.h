/*
 * A folder of links to scalana-static, one for each MPI compiler in PATH, named like it.
 */
#ifndef SCA_CLI_COMPILER_LINKS_H
#define SCA_CLI_COMPILER_LINKS_H

#include <stdbool.h>

/* The folder, in memory of the caller's. It lies in the user's cache, for build systems keep the
 * paths of compilers; the same compilers have the same folder. NULL with a message: it cannot be
 * made. */
char *sca_compiler_links_make(const char *scalana_static, bool fortran);

/* "mpicc", "mpicxx.openmpi", "mpif90-mpich" ...: is it the name of an MPI compiler? */
bool sca_compiler_links_is_mpi(const char *name, bool fortran);

#endif
