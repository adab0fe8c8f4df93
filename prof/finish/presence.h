/*
 * Whether every rank of this host has the library: a rank without it would never answer. Asked
 * before anything is said through MPI, so that the program's own messages stay as they are.
 *
 * Each rank binds a datagram socket in the abstract namespace (unix(7)), named after the job and
 * its number on the host as the launcher tells it in the environment; such a name is gone with
 * its process. On the thread that calls MPI_Init.
 */
#ifndef SCA_PROF_PRESENCE_H
#define SCA_PROF_PRESENCE_H

#include <stdbool.h>

/* Before the real MPI_Init, where ranks wait for each other. Once; later calls do nothing. */
void sca_presence_announce(void);
/* After it: a rank of this host, counted from 0, that has not announced itself in good time, or -1
 * if all have or nobody can know. */
int sca_presence_missing(void);
/* Then: of the ranks of this host that are here, this one has the lowest number. */
bool sca_presence_is_first(void);
/* Without any of this: by what the launcher says, nobody on this host has a lower number. */
bool sca_presence_may_speak(void);
/* Everyone has looked. */
void sca_presence_end(void);

#endif
