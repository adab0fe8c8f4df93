/*
 * The profile keeps what detection needs of the program and its libraries, for they may be gone
 * after the job, or changed: symbols, lines and graph, and machine code where structure must be
 * recovered from it. Of libraries that are not the user's, names only. At most SCALANA_KEEP KB, and
 * no file is read of which more than eight times that would be taken.
 *
 * Rank 0, on the thread that calls Finalize: what it called is what is kept. A file that is gone,
 * was changed, or cannot be read costs itself only.
 */
#ifndef SCA_PROF_KEEP_H
#define SCA_PROF_KEEP_H

#include "finish/profile_file.h"

#include <stdint.h>

/* Appends chunks to the profile, and returns how many. */
uint32_t sca_keep(struct sca_profile_file *file);

#endif
