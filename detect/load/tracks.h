/*
 * Threads beside the first that call MPI themselves (MPI_THREAD_MULTIPLE, MPI_THREAD_SERIALIZED).
 * Their calls are sites of their own (sca_site.thread), with intervals between them: a track of the
 * replay beside the first thread's. The first thread's intervals hold what it waited for what such
 * a thread computed (SCA_SAMPLE_HELPED, SCA_SAMPLE_THREAD, sca_part.h), and stalls while that one
 * was in MPI. Both are taken out of them: they are on the other track. So are samples of what it
 * did before its first call. What a further thread sleeps is on none.
 */
#ifndef SCA_DETECT_TRACKS_H
#define SCA_DETECT_TRACKS_H

#include "sca_profile.h"
#include <stdbool.h>

/* Whether the run calls MPI from other threads than the first: then ranks' tables change. */
bool sca_tracks_are_in(const struct sca_profile *profile);

/* SCA_OK or SCA_ENOMEM. `opened` is of that profile. */
int sca_tracks_divide(struct sca_profile *profile, struct sca_opened *opened);

#endif
