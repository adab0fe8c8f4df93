/*
 * The program that is to run: what kind of file it is, and the libraries that the dynamic linker
 * would give it (asked by its option --list; nothing of the program runs).
 */
#ifndef SCA_CLI_TARGET_H
#define SCA_CLI_TARGET_H

#include <stdbool.h>

enum sca_target_kind {
    SCA_TARGET_SCRIPT, /* or any file that is no ELF program of 64 bits */
    SCA_TARGET_STATIC,
    SCA_TARGET_DYNAMIC
};

enum sca_mpi_family {
    SCA_MPI_NONE,
    SCA_MPI_OPENMPI,
    SCA_MPI_MPICH, /* and what has its interface: Intel MPI, MVAPICH, Cray MPICH */
    SCA_MPI_ABI    /* the standard interface of MPI 5: any launcher may do */
};

struct sca_target {
    char *path;
    enum sca_target_kind kind;
    enum sca_mpi_family mpi;
    char *mpi_library; /* its path, or its name where it was not found; NULL: none */
    char *not_found;   /* the first library that is nowhere; NULL: all are there */
    bool threaded;     /* it has an OpenMP runtime */
    bool has_graph;    /* scalana-static has compiled it */
    bool has_lines;    /* it has a line table, or says where one is */
    char *compilers;   /* as they signed: "clang version 19.1.7"; "" if none did */
};

/* `name` as a shell finds it. SCA_OK, or SCA_ENOTFOUND with a message. */
int sca_target_look(const char *name, struct sca_target *target);
void sca_target_free(struct sca_target *target);

/* "Open MPI", "MPICH", "MPI 5's standard ABI". */
const char *sca_mpi_family_name(enum sca_mpi_family family);

#endif
