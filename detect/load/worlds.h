/*
 * Runs that are worlds of one job: one started the other, or they met (MPI_Comm_spawn, accept and
 * connect, join). Together they are one run, in which the waits of one world for another are
 * replayed like any.
 */
#ifndef SCA_DETECT_LOAD_WORLDS_H
#define SCA_DETECT_LOAD_WORLDS_H

#include "sca_profile.h"

#include <stddef.h>

/* Puts one profile in the place of those that communicators join, where the first of them stood;
 * they are freed. SCA_E... of what cannot be read again. */
int sca_worlds_unite(struct sca_profile **profiles, uint32_t *count);

/* The run directories beside this one that a communicator joins to it, names with commas between;
 * "" where there are none. Looks at some that were written at nearly the same time. */
void sca_worlds_beside(const struct sca_profile *profile, char *text, size_t size);

#endif
