/*
 * Calls that make communicators: where members meet, and what the new one's name is made of
 * (comm_name.h). The wrappers call these between sca_activity_exit() and sca_activity_leave(); they
 * call MPI and take no lock meanwhile.
 */
#ifndef SCA_PROF_COMM_NEW_H
#define SCA_PROF_COMM_NEW_H

#include "windows/call.h"
#include "mpi/symbols.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_communicator;

void sca_comm_new(struct sca_call *call, sca_word parent, sca_word address, int fortran);
void sca_comm_new_group(struct sca_call *call, sca_word parent, int tag, sca_word address,
                        int fortran);
/* Of a group alone; the text tells those apart that are made at the same time. `call` NULL: it is
 * what the run begins with. */
void sca_comm_new_set(struct sca_call *call, const char *text, size_t length, sca_word address,
                      int fortran);
/* Of two groups: each process is in one. */
void sca_comm_new_inter_set(struct sca_call *call, const char *text, size_t length,
                            sca_word address, int fortran);
/* That join this world with another (worlds.h): MPI_Comm_spawn; accept and connect, at a port;
 * join, by a socket. */
void sca_comm_new_spawned(struct sca_call *call, sca_word parent, int root, sca_word address,
                          int fortran);
void sca_comm_new_met(struct sca_call *call, sca_word parent, int root, const char *port,
                      size_t length, sca_word address, int fortran);
void sca_comm_new_joined(struct sca_call *call, int64_t socket, sca_word address, int fortran);
/* MPI_Comm_disconnect: before the call, with what is returned behind it. */
struct sca_communicator *sca_comm_new_part(sca_word handle);
void sca_comm_new_parted(struct sca_call *call, struct sca_communicator *parted, bool ok);
void sca_comm_new_inter(struct sca_call *call, sca_word parent, int tag, sca_word address,
                        int fortran);
/* The new handle is valid once the request completes; its name is taken now, for several may be
 * under way and complete in any order. */
void sca_comm_new_idup(struct sca_call *call, sca_word parent, sca_word address, sca_word request,
                       int fortran);
void sca_comm_new_idup_done(unsigned function, uint64_t name, sca_word address, int fortran);

#endif
