/*
 * A file on disk, mapped to be read where it is looked at once and nobody writes it. What is beyond
 * its end is not there. Any thread, not in a handler; nothing is kept.
 */
#ifndef SCA_PROF_MAPPED_FILE_H
#define SCA_PROF_MAPPED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_mapped_file {
    const uint8_t *bytes;
    uint64_t size;
};

/* False: it is not there, empty, or cannot be mapped. sca_mapped_file_close() is for one that was
 * opened. */
bool sca_mapped_file_open(struct sca_mapped_file *f, const char *path);
void sca_mapped_file_close(struct sca_mapped_file *f);

/* NULL: beyond the end. */
static inline const void *sca_mapped_file_at(const struct sca_mapped_file *f, uint64_t offset,
                                             uint64_t size)
{
    return offset <= f->size && size <= f->size - offset ? f->bytes + offset : NULL;
}

#endif
