/*
 * What ranks wait for each other by, outside MPI: memory, barriers, pipes, sockets, files. Each is
 * recorded as a communicator of unknown size: its name is equal on all ranks that use it, without
 * communication. So the detector knows which ranks share it.
 *
 * Any thread, not in a handler, inside the tool (sca_thread.in_tool). Objects stay until the end.
 */
#ifndef SCA_PROF_OBJECTS_H
#define SCA_PROF_OBJECTS_H

#include "calls/comm_record.h"

/* `kind`: of enum sca_outside_function. NULL without memory, and of more than some hundred. */
struct sca_communicator *sca_objects_at(uint64_t id, unsigned kind);
/* This rank uses it. 0: none. */
void sca_objects_use(uint64_t id);
/* A call at that site waited for it. */
void sca_objects_wait(uint64_t id, uint32_t site);

/* A barrier told the rank that waited at that site that it is the one (of its bytes, in
 * SCA_T_COLLECTIVES): once a round, some rank is. */
void sca_objects_chosen(struct sca_communicator *barrier, uint32_t site);

/* Of memory that processes share: 0 of other memory. */
uint64_t sca_objects_memory(const void *address);
/* Of a pipe with a name, a connection between two processes, a file. 0: of none. */
uint64_t sca_objects_stream(int descriptor);
uint64_t sca_objects_file(int descriptor);

/* A lock or a semaphore was used, a stream read: noted once in a while. Outside the tool; errno is
 * kept. */
void sca_objects_note_memory(const void *address);
void sca_objects_note_stream(int descriptor, uint64_t now_ns);
/* At the end: pipes that are open, which may have been written only. */
void sca_objects_note_pipes(void);

#endif
