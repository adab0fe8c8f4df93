/*
 * As much of an MPI library as a few processes need to share their work, loaded when it is needed:
 * scalana-detect must start where there is none. Open MPI and its kin know their handles by
 * address, MPICH and its kin (Intel MPI, MVAPICH, Cray MPICH) by number.
 */
#ifndef SCA_DETECT_MPI_LIBRARY_H
#define SCA_DETECT_MPI_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct sca_mpi_library {
    void *handle;
    bool by_address; /* what handles are; which of the unions below hold */
    void *world_address, *byte_address;
    int (*finalize)(void);
    union {
        int (*by_address)(void *, int, void *, int, void *);
        int (*by_number)(void *, int, int, int, int);
    } bcast;
    union {
        int (*by_address)(const void *, int, void *, void *, int, void *, void *);
        int (*by_number)(const void *, int, int, void *, int, int, int);
    } allgather;
};

/* Loads the library that started these processes and joins them. False: there is none that fits,
 * or it knows another number of processes than `size`, or another rank: then nothing is open. */
bool sca_mpi_library_open(unsigned rank, unsigned size, struct sca_mpi_library *out);
/* As MPI_Bcast and MPI_Allgather of bytes over all processes; 0 or an MPI error. */
int sca_mpi_library_bcast(const struct sca_mpi_library *mpi, void *bytes, size_t n, unsigned root);
int sca_mpi_library_allgather(const struct sca_mpi_library *mpi, const void *own, size_t n,
                              void *all);
void sca_mpi_library_close(struct sca_mpi_library *mpi);

#endif
