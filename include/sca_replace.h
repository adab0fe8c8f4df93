/*
 * Puts a file in place in one step: written next to its target, then renamed, so that an error
 * leaves an earlier file untouched. A pipe or a device is written as it is; "-" is stdout.
 */
#ifndef SCA_REPLACE_H
#define SCA_REPLACE_H

#include <stdio.h>

/* Calls write(out, context) once; its status is passed on. SCA_EIO with path and reason. */
int sca_replace_file(const char *path, int (*write)(FILE *out, const void *context),
                     const void *context);

/* Whether the file could be written, asked before the work that it is for: SCA_OK, or SCA_EIO with
 * path and reason. A file next to it is made and removed; the file itself is left as it is. */
int sca_replace_check(const char *path);

#endif
