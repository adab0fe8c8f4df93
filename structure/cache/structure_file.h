/*
 * A structure as bytes in a file (doc/FORMATS.md): what lies in the cache, and what
 * `scalana-static --structure -o` writes.
 */
#ifndef STRUCTURE_FILE_H
#define STRUCTURE_FILE_H

#include "sca_structure.h"

#include <stdbool.h>

/* malloc()ed; NULL with a message when out of memory. */
uint8_t *sca_structure_encode(const struct sca_structure *structure, size_t *length);
/* SCA_EFORMAT: damaged, or no structure; SCA_EVERSION: of another release. `name` is for messages.
 */
int sca_structure_decode(const void *bytes, size_t length, const char *name,
                         struct sca_structure *out);

#endif
