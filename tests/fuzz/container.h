/*
 * A profile.sca around bytes of the fuzzer's: correct checksums, so that it gets past them.
 */
#ifndef SCA_FUZZ_CONTAINER_H
#define SCA_FUZZ_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

/* The run directory that inputs are written to: in memory, made at the first call. */
const char *fuzz_directory(void);
void fuzz_write(const char *name, const void *bytes, size_t length);
void fuzz_remove(const char *name);

/* Writes profile.sca with one group of rank images; `meta` is "key NUL value NUL ...". */
void fuzz_write_store(uint32_t ranks, const void *meta, size_t meta_length, const void *group,
                      size_t length);

/* The first group of rank images in a profile.sca, unpacked, from malloc; ends the program when
 * there is none. */
void *fuzz_read_group(const char *path, uint32_t *ranks, size_t *length);

#endif
