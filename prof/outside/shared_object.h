/*
 * Objects in memory that several processes map: barriers, locks, semaphores. The kernel's list of
 * mappings (/proc/self/maps) tells whether an address is in such memory, and which object it is.
 * The last few answers are kept for a second; reading the list takes some 0.1 ms.
 *
 * Any thread, not in a handler. Does not allocate.
 */
#ifndef SCA_PROF_SHARED_OBJECT_H
#define SCA_PROF_SHARED_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

/* Equal in all processes of a machine that map the object, without communication. 0: the memory is
 * the process's own. */
struct sca_shared_object {
    uint64_t memory; /* of the machine, and the file that is mapped */
    uint64_t place;  /* and of the place in it */
};

struct sca_shared_object sca_shared_object(const void *address);
/* The same, but false rather than that the list is read more than ten times a second. */
bool sca_shared_object_if_known(const void *address, struct sca_shared_object *out);
/* Of this machine, for other objects' names. */
uint64_t sca_shared_object_machine(void);
/* A new object is made there, in memory that may be mapped anew. */
void sca_shared_object_forget(void);

#endif
