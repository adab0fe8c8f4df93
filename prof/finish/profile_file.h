/*
 * profile.sca while rank 0 writes it: under another name, and renamed when it is whole. After the
 * first error nothing more is written. On the thread that calls Finalize; never allocates, and
 * raises no SIGXFSZ.
 */
#ifndef SCA_PROF_PROFILE_FILE_H
#define SCA_PROF_PROFILE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_profile_file {
    int fd, error; /* an errno, 0: fine so far */
    uint64_t bytes;
    char path[4096], temporary[4096];
};

void sca_profile_file_begin(struct sca_profile_file *file, const char *directory);
void sca_profile_file_append(struct sca_profile_file *file, const void *bytes, size_t length);
/* The same for what the profile can do without: false leaves the file as it was. */
bool sca_profile_file_try(struct sca_profile_file *file, const void *bytes, size_t length);
/* Removed unless `whole` and all is written. Returns the error. */
int sca_profile_file_end(struct sca_profile_file *file, bool whole);

#endif
