/* What is known of a communicator, and its record in SCA_T_COMMS. Found and made by comm.h. */
#ifndef SCA_PROF_COMM_RECORD_H
#define SCA_PROF_COMM_RECORD_H

#include "sca_part.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_channel;
struct sca_receive;
struct sca_neighbours;

struct sca_communicator {
    uint64_t handle; /* the key in the table */
    uint64_t id;
    uint32_t index; /* in SCA_T_COMMS; SCA_NONE before its first use */
    uint32_t size, rank;
    uint32_t peers; /* ranks that can be addressed: size, or the remote group's */
    int32_t *world; /* their world ranks, or sca_comm_record_foreign(); NULL: the same numbers */
    uint16_t maker; /* function that made it */
    bool inter, freed;
    bool foreign;                /* some are of another world (worlds.h) */
    uint32_t derived;            /* communicators made of it, if so */
    bool receives_lost;          /* nobody knows what one of them took: no later one has a name */
    uint32_t users;              /* receives and requests that still point here */
    uint64_t collectives;        /* so far: their number */
    struct sca_neighbours *near; /* NULL: not asked yet, or none */
    char *topology;              /* in words, NULL: none */
    struct sca_receive *first, *last; /* posted, without a number yet */
    uint32_t waiting;                 /* of these, whose channel is known */
    struct sca_channel *channels;
    struct sca_channel *latest; /* of these, that was asked for; NULL: none */
};

/* This process's world rank; set once, at the beginning. */
void sca_comm_record_set_self(int32_t rank);
int32_t sca_comm_record_self(void);
/* World rank of a rank in it; -1 for none, less for one of another world. */
int32_t sca_comm_record_world_rank(const struct sca_communicator *comm, int rank);
/* What stands for a rank of another world: by its rank in the communicator, and back. */
static inline int32_t sca_comm_record_foreign(int32_t rank)
{
    return SCA_FOREIGN - rank;
}
static inline bool sca_comm_record_is_foreign(int32_t peer)
{
    return peer <= SCA_FOREIGN && peer > SCA_FOREIGN - SCA_MOST_FOREIGN;
}
/* Its record; state lock held. A full table gives the last record, a tainted one, to all. */
uint32_t sca_comm_record_index(struct sca_communicator *comm);
/* Before it is used, so that an observer knows who is in it, if there is plenty of room; state lock
 * held. */
void sca_comm_record_early(struct sca_communicator *comm);
/* What its topology is called has changed; state lock held. */
void sca_comm_record_topology(const struct sca_communicator *comm);

#endif
