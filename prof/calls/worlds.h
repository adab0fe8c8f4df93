/*
 * Communicators that join this MPI_COMM_WORLD with another: made by MPI_Comm_spawn, accept and
 * connect, join, or of such a one. No word is exchanged with the other world for our sake, since it
 * may run without this library. What both sides know by themselves is written down instead, and who
 * reads two profiles joins them (doc/FORMATS.md): a port, the ends of a socket, the moment, sizes.
 * Any thread, no lock.
 */
#ifndef SCA_PROF_WORLDS_H
#define SCA_PROF_WORLDS_H

#include "calls/comm_record.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_worlds_meeting {
    uint64_t key;     /* known to both worlds; 0: there is none, or another rank tells */
    uint64_t took_ns; /* to meet */
    bool tells;       /* this rank says when it was */
    uint64_t parent;  /* it was made of this one, which joins worlds; 0: not so */
    uint32_t order;   /* among all that were made of that */
};

/* In words, "" where nothing is known but that it joins worlds; `meeting` may be NULL. */
void sca_worlds_describe(const struct sca_communicator *comm,
                         const struct sca_worlds_meeting *meeting, char *text, size_t size);
/* Fortran's texts end in blanks. Never 0. */
uint64_t sca_worlds_text_key(const char *text, size_t length);
/* Of a connected socket; the same at both ends. 0: it has no addresses. */
uint64_t sca_worlds_socket_key(int socket);

#endif
