/*
 * Threads beside the first that call MPI themselves (MPI_THREAD_MULTIPLE, MPI_THREAD_SERIALIZED).
 * Their calls follow each other in intervals of their own, which no call of the first thread leads
 * to. A rank takes as long as its first thread. So these intervals are no time of the rank's in
 * addition: where the first thread waits for such a thread, which is booked (SCA_SAMPLE_HELPED,
 * SCA_SAMPLE_THREAD, sca_part.h), what that one computes is the rank's time. Its samples are taken
 * there, as those of threads that do not call MPI. Its calls stay counted.
 *
 * A rank whose other threads call MPI more often than the first leaves communication to them: it
 * is as it was recorded.
 */
#ifndef SCA_DETECT_TRACKS_H
#define SCA_DETECT_TRACKS_H

#include "sca_profile.h"

/* SCA_OK or SCA_ENOMEM. `opened` is of that profile. */
int sca_tracks_fold(struct sca_profile *profile, struct sca_opened *opened);

#endif
