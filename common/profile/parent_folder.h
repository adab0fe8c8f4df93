/* A folder that is no run, but holds some. */
#ifndef SCA_PROFILE_PARENT_FOLDER_H
#define SCA_PROFILE_PARENT_FOLDER_H

#include <stddef.h>

/* The names of the runs in it, sorted: "a-2p, a-4p and 3 more"; "" where there is none. */
const char *sca_parent_folder_runs(const char *directory, char *text, size_t size);

#endif
