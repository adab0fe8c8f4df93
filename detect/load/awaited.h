/*
 * Ranks that wait for each other outside MPI, by something that several of them use: memory with
 * locks or semaphores in it, a pipe, a connection, a file (kind "shared object" among the
 * communicators of a profile). What a rank is blocked there is no time of its own: it lasts as long
 * as others make it. The replay does not know whom it waits for. So it is taken out of the rank's
 * intervals, and the wait appears where the ranks meet next.
 *
 * A barrier that not all of its ranks come to each time, as when they take turns at it, is no
 * collective: nobody knows who meets whom.
 *
 * What waits for nobody that is seen, as a sleep, or for another process, stays.
 */
#ifndef SCA_DETECT_AWAITED_H
#define SCA_DETECT_AWAITED_H

#include "sca_profile.h"
#include <stdbool.h>

/* Whether the run may have such waits: then ranks' tables may change. */
bool sca_awaited_may_be_in(const struct sca_profile *profile);

/* Records of what was taken out are of the kind SCA_SAMPLE_AWAITED then. SCA_OK or SCA_ENOMEM.
 * `opened` is of that profile. */
int sca_awaited_take_out(struct sca_profile *profile, struct sca_opened *opened);

#endif
