/*
 * Where ranks stand in a topology: a Cartesian or graph communicator of the program, the hardware,
 * ranks x threads, or what the user tells in a file. In the report as `topologies[]`; a view draws
 * it as a map. Arrays and strings belong to the report or workspace they were made in.
 */
#ifndef SCA_TOPOLOGY_H
#define SCA_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

struct sca_topology {
    const char *name; /* as the program calls it, without the dimensions' names; else who made it:
                         "MPI_Cart_create", "system", the file */
    const char *kind; /* cartesian|graph|system|threads|file; a reader may meet others */
    uint32_t ndims;   /* at least 1, at most SCA_MOST_DIMENSIONS (sca_part.h) */
    uint32_t *dims;   /* [ndims], each at least 1 */
    bool *periodic;   /* [ndims] */
    const char **dimension_names; /* [ndims]; "" each where nobody gave them */
    uint32_t nranks;              /* of the run */
    uint32_t members;             /* ranks that have a place */
    int32_t *coordinates;         /* [nranks * ndims]; a rank that is not in it begins with -1 */
};

/* Where a rank ran, as it was bound when MPI_Init came. Numbers of packages and cores are the
 * kernel's. */
struct sca_location {
    uint32_t host;         /* row of the run's hosts; SCA_NONE: the rank left nothing */
    int32_t package, core; /* -1: more than one, or unknown */
    const char *cores;     /* all of them: "0:0-3,8 1:0", package before each; "all": it was not
                              bound; "": unknown */
};

/* The coordinates of a rank, NULL: it is not in it. */
static inline const int32_t *sca_topology_place(const struct sca_topology *t, uint32_t rank)
{
    const int32_t *place = &t->coordinates[(uint64_t)rank * t->ndims];
    return rank < t->nranks && place[0] >= 0 ? place : 0;
}

/* Whether every rank stands where counting the places says, the last dimension running fastest. */
bool sca_topology_is_row_major(const struct sca_topology *topology);
/* Whether it has as many places as the run has ranks. */
bool sca_topology_has_all(const struct sca_topology *topology);
/* Sets the coordinates of all ranks so. */
void sca_topology_count_off(struct sca_topology *topology);

#endif
