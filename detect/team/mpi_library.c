#include "team/mpi_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The same in all of MPICH's kin: their common ABI fixes them. */
enum { WORLD_NUMBER = 0x44000000, BYTE_NUMBER = 0x4c00010d };

/* ISO C knows no way from an object's address to a function's. */
static bool find(const struct sca_mpi_library *mpi, const char *name, void *function)
{
    void *address = dlsym(mpi->handle, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool load(struct sca_mpi_library *mpi)
{
    static const char *const of_openmpi[] = {"libmpi.so.40", "libmpi.so", NULL};
    static const char *const of_mpich[] = {"libmpich.so.12",    "libmpi.so.12", "libmpich.so",
                                           "libmpi_cray.so.12", "libmpi.so",    NULL};
    const char *const *names = getenv("OMPI_COMM_WORLD_SIZE") ? of_openmpi : of_mpich;
    const char *chosen = getenv("SCALANA_MPI_LIBRARY");
    if (chosen && *chosen)
        mpi->handle = dlopen(chosen, RTLD_NOW | RTLD_GLOBAL);
    for (; !mpi->handle && *names; names++)
        mpi->handle = dlopen(*names, RTLD_NOW | RTLD_GLOBAL);
    return mpi->handle != NULL;
}

static bool resolve(struct sca_mpi_library *mpi)
{
    mpi->world_address = dlsym(mpi->handle, "ompi_mpi_comm_world");
    mpi->byte_address = dlsym(mpi->handle, "ompi_mpi_byte");
    mpi->by_address = mpi->world_address && mpi->byte_address;
    return find(mpi, "MPI_Finalize", &mpi->finalize) && find(mpi, "MPI_Bcast", &mpi->bcast) &&
           find(mpi, "MPI_Allgather", &mpi->allgather);
}

/* MPI_Comm_rank or MPI_Comm_size of the world; -1: failed. */
static int ask(const struct sca_mpi_library *mpi, const char *name)
{
    int (*by_address)(void *, int *), (*by_number)(int, int *), value = -1, status = -1;
    if (mpi->by_address && find(mpi, name, &by_address))
        status = by_address(mpi->world_address, &value);
    else if (!mpi->by_address && find(mpi, name, &by_number))
        status = by_number(WORLD_NUMBER, &value);
    return status ? -1 : value;
}

static bool join(const struct sca_mpi_library *mpi, unsigned rank, unsigned size)
{
    int (*init)(int *, char ***);
    if (!find(mpi, "MPI_Init", &init) || init(NULL, NULL))
        return false;
    if (ask(mpi, "MPI_Comm_rank") == (int)rank && ask(mpi, "MPI_Comm_size") == (int)size)
        return true;
    mpi->finalize();
    return false;
}

/* Once joined it stays loaded: MPI libraries leave threads and exit handlers behind. */
bool sca_mpi_library_open(unsigned rank, unsigned size, struct sca_mpi_library *out)
{
    *out = (struct sca_mpi_library){0};
    if (!load(out))
        return false;
    if (!resolve(out)) {
        dlclose(out->handle);
        return false;
    }
    return join(out, rank, size);
}

int sca_mpi_library_bcast(const struct sca_mpi_library *mpi, void *bytes, size_t n, unsigned root)
{
    return mpi->by_address
               ? mpi->bcast.by_address(bytes, (int)n, mpi->byte_address, (int)root,
                                       mpi->world_address)
               : mpi->bcast.by_number(bytes, (int)n, BYTE_NUMBER, (int)root, WORLD_NUMBER);
}

int sca_mpi_library_allgather(const struct sca_mpi_library *mpi, const void *own, size_t n,
                              void *all)
{
    return mpi->by_address ? mpi->allgather.by_address(own, (int)n, mpi->byte_address, all, (int)n,
                                                       mpi->byte_address, mpi->world_address)
                           : mpi->allgather.by_number(own, (int)n, BYTE_NUMBER, all, (int)n,
                                                      BYTE_NUMBER, WORLD_NUMBER);
}

void sca_mpi_library_close(struct sca_mpi_library *mpi)
{
    mpi->finalize();
}
