#include "sca_error.h"
#include "sca_options.h"
#include "sca_psg.h"
#include "wrapper/wrapper.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int failed(const char *path)
{
    fprintf(stderr, "scalana-static: %s: %s\n", path, strerror(errno));
    return SCA_EXIT_FAILED;
}

/* All of mpif.h is parameters, commons of the MPI library's and declarations: nothing to link. */
static int write_source(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return SCA_EIO;
    int written = fputs("module mpi\n  include 'mpif.h'\nend module mpi\n", file);
    return fclose(file) || written < 0 ? SCA_EIO : SCA_OK;
}

int sca_fortran_module_make(const char *folder, char *mpifort)
{
    char *source = sca_system_format_text("%s/mpi.f90", folder);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return failed(folder);
    if (write_source(source))
        return failed(source);
    return sca_wrapper_run(
        (char *[]){mpifort, "-c", "-J", (char *)folder, source, "-o", "/dev/null", NULL},
        SCA_PSG_DEFAULT_DEPTH);
}
