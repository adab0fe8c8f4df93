/*
 * Objects in memory that several processes map: barriers, locks, semaphores. The kernel's list of
 * mappings (/proc/self/maps) tells whether an address is in such memory, and which object it is.
 * The last few answers are kept for a second; reading the list takes some 0.1 ms.
 *
 * Any thread, not in a handler. Does not allocate.
 */
#ifndef SCA_PROF_SHARED_OBJECT_H
#define SCA_PROF_SHARED_OBJECT_H

#include <stdint.h>

/* Equal in all processes of a machine that map the object, without communication: made of the
 * machine, the file that is mapped, and the place in it. 0: the memory is the process's own. */
uint64_t sca_shared_object(const void *address);
/* A new object is made there, in memory that may be mapped anew. */
void sca_shared_object_forget(void);

#endif
