/*
 * Communicators: who is in them, and their name (comm_name.h). Without one, traffic is booked and
 * messages are not named. A communicator gets its record in SCA_T_COMMS when something is booked
 * on it for the first time; one with a topology, when it is made.
 *
 * Owned by this module until MPI_Comm_free and the last receive on it. Functions that call
 * MPI take no lock meanwhile; those that say so want the state lock held.
 */
#ifndef SCA_PROF_COMM_H
#define SCA_PROF_COMM_H

#include "calls/comm_record.h"
#include "mpi/symbols.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_neighbours;
struct sca_worlds_meeting;

/* What a new communicator's name is made of; or the name itself. Neither: it has none. */
struct sca_origin {
    uint64_t basis, name;
    unsigned function;                       /* that made it */
    const struct sca_worlds_meeting *worlds; /* where it may join worlds; NULL: nothing is known */
};

/* After MPI_Init: world and self. */
int sca_comm_begin(void);
/* A new one; if the handle is known, its first owner was freed where no wrapper saw it. NULL for
 * no communicator, or without memory. */
struct sca_communicator *sca_comm_register(sca_word handle, const struct sca_origin *origin);
/* Never met before: registered, without a name. NULL without memory. */
struct sca_communicator *sca_comm_find(sca_word handle);
/* As long as it stays the same, handles stand for what they stood for; never 0. */
extern uint32_t sca_comm_age;
/* Never more than one is asked for: false as long as no communicator has joined worlds. */
bool sca_comm_any_foreign(void);
/* The same, and takes the state lock unless it says NULL: what a call books goes with it. */
struct sca_communicator *sca_comm_lock(sca_word handle);
/* NULL without a topology. Asks MPI. */
const struct sca_neighbours *sca_comm_neighbours(struct sca_communicator *comm);
void sca_comm_use(struct sca_communicator *comm);
void sca_comm_unuse(struct sca_communicator *comm); /* may free it; state lock held */

void sca_comm_free(sca_word handle);
/* The program gives it a name, of so many bytes: kept where it has a topology. */
void sca_comm_call_it(sca_word handle, const char *name, size_t length);

#endif
