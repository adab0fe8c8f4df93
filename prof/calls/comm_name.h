/*
 * The name that all members of a communicator give it, without communicating: a hash of the
 * parent's, the call that made it, its members in world ranks, and how often that very combination
 * occurred before. Only members take part in each occurrence, so all of them count alike. Members
 * of another world are all the same: the two worlds have different names (worlds.h joins them). 0
 * is no name: too many different combinations. Any thread.
 */
#ifndef SCA_PROF_COMM_NAME_H
#define SCA_PROF_COMM_NAME_H

#include "mpi/symbols.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_members {
    uint64_t hash;
    uint32_t size;
    int32_t *world; /* pool; NULL when the ranks are the world's own */
    bool foreign;   /* some are of another world: comm_record.h says what stands for them */
};

/* Once, when sca_abi.comm_world is there. 0 or -1. */
int sca_comm_name_begin(void);
/* Asks MPI. The members are the caller's until sca_comm_name_members_free(); 0 or -1. */
int sca_comm_name_members(sca_word comm, bool remote, struct sca_members *members);
/* The same of a group; `world` is always told. */
int sca_comm_name_group(sca_word group, struct sca_members *members);
void sca_comm_name_members_free(struct sca_members *members);
/* Of an inter-communicator: both sides come to the same. */
uint64_t sca_comm_name_members_both(const struct sca_members *a, const struct sca_members *b);

/* What is common to all that make it, but for its members; 0 if the parent has no name. */
uint64_t sca_comm_name_basis(uint64_t parent, unsigned function, uint32_t tag);
/* State lock held: once per communicator, where all its members have the same order. */
uint64_t sca_comm_name(uint64_t basis, uint64_t members);

#endif
