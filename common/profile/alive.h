/*
 * Whether the process behind a part is still there, by what the kernel says of it: nothing is sent
 * to it, and it may be another user's.
 */
#ifndef SCA_PROFILE_ALIVE_H
#define SCA_PROFILE_ALIVE_H

#include "sca_profile.h"

/* *now_ns: the clock of the rank, which is this host's; 0 where that is another host's, or of an
 * earlier boot. Of a process in another PID namespace nothing is known. A copy that was made for
 * another host (sca_copy.h) says itself how it was then. */
enum sca_alive sca_alive_look(const struct sca_part_header *header, uint64_t *now_ns);

/* What a thread of a process of this host does, as the kernel says: 'R' runs or waits for a core,
 * 'S' and 'D' sleep, 'T' and 't' are stopped; 0: not known. */
char sca_alive_thread_state(uint32_t process, uint32_t thread);

#endif
