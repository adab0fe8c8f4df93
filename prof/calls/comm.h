/*
 * Communicators: who is in them, and their name (comm_name.h). Without one, traffic is booked and
 * messages are not named. A communicator gets its record in SCA_T_COMMS when something is booked
 * on it for the first time.
 *
 * Owned by this module until MPI_Comm_free and the last receive on it. The sca_on_ functions call
 * MPI and take no lock meanwhile; those that say so want the state lock held.
 */
#ifndef SCA_PROF_COMM_H
#define SCA_PROF_COMM_H

#include "sca_part.h"
#include "mpi/symbols.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_channel;
struct sca_receive;
struct sca_neighbours;

struct sca_communicator {
    struct sca_communicator *next; /* same bucket */
    sca_word handle;
    uint64_t id;
    uint32_t index; /* in SCA_T_COMMS; SCA_NONE before its first use */
    uint32_t size, rank;
    uint32_t peers; /* ranks that can be addressed: size, or the remote group's */
    int32_t *world; /* their world ranks; NULL: the same numbers */
    uint16_t maker; /* function that made it */
    bool inter, freed;
    bool receives_lost;          /* nobody knows what one of them took: no later one has a name */
    struct sca_neighbours *near; /* NULL: not asked yet, or none */
    char *topology;              /* in words, NULL: none */
    uint32_t users;              /* receives and requests that still point here */
    uint64_t collectives;        /* so far: their number */
    struct sca_receive *first, *last; /* posted, without a number yet */
    uint32_t waiting;                 /* of these, whose channel is known */
    struct sca_channel *channels;
};

/* What a new communicator's name is made of; or the name itself. Neither: it has none. */
struct sca_origin {
    uint64_t basis, name;
    unsigned function; /* that made it */
};

/* After MPI_Init: world and self. */
int sca_comm_begin(void);
/* A new one; if the handle is known, its first owner was freed where no wrapper saw it. NULL for
 * no communicator, or without memory. */
struct sca_communicator *sca_comm_register(sca_word handle, const struct sca_origin *origin);
/* Never met before: registered, without a name. NULL without memory. */
struct sca_communicator *sca_comm_find(sca_word handle);
/* World rank of a rank in it, -1 if it has none. */
int32_t sca_comm_world_rank(const struct sca_communicator *comm, int rank);
/* NULL without a topology. Asks MPI. */
const struct sca_neighbours *sca_comm_neighbours(struct sca_communicator *comm);
/* This process's world rank. */
int32_t sca_comm_self(void);
/* Its record; state lock held. A full table gives the last record, a tainted one, to all. */
uint32_t sca_comm_index(struct sca_communicator *comm);
void sca_comm_use(struct sca_communicator *comm);
void sca_comm_unuse(struct sca_communicator *comm); /* may free it; state lock held */

void sca_on_comm_free(sca_word handle);

#endif
