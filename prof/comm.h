/*
 * Communicators: who is in them, and a name all members agree on without communicating.
 *
 * The id is a hash of the parent's id, the call that made it, its members in world ranks, and how
 * often that very combination occurred before; only members of the new communicator take part in
 * each occurrence, so all of them count alike. Id 0 is tainted: no agreement (another world's
 * ranks, or no room); its traffic is booked, its messages are not named. A communicator gets its
 * record in SCA_T_COMMS when something is booked on it for the first time.
 *
 * Owned by this module until MPI_Comm_free and the last receive on it. The sca_on_ functions call
 * MPI and take no lock meanwhile; those that say so want the state lock held.
 */
#ifndef SCA_PROF_COMM_H
#define SCA_PROF_COMM_H

#include "activity.h"
#include "sca_part.h"
#include "symbols.h"
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
    struct sca_neighbours *near;      /* NULL: not asked yet, or none */
    char *topology;                   /* in words, NULL: none */
    uint32_t users;                   /* receives and requests that still point here */
    uint64_t collectives;             /* so far: their number */
    struct sca_receive *first, *last; /* posted, without a number yet */
    struct sca_channel *channels;
};

/* After MPI_Init: world and self. */
int sca_comm_begin(void);
/* Never met before: registered, tainted. NULL without memory. */
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

void sca_on_newcomm(struct sca_call *call, sca_word parent, sca_word address, int fortran);
void sca_on_newcomm_group(struct sca_call *call, sca_word parent, int tag, sca_word address,
                          int fortran);
void sca_on_newcomm_set(struct sca_call *call, sca_word address, int fortran);
void sca_on_newcomm_other(struct sca_call *call, sca_word address, int fortran);
void sca_on_intercomm(struct sca_call *call, sca_word parent, int tag, sca_word address,
                      int fortran);
/* The new handle is valid once the request completes. */
void sca_on_idup(struct sca_call *call, sca_word parent, sca_word address, sca_word request,
                 int fortran);
void sca_comm_idup_done(unsigned function, uint64_t parent_id, sca_word address, int fortran);
void sca_on_comm_free(sca_word handle);

#endif
