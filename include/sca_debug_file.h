/*
 * Where debug information lies that was split off a binary (objcopy --only-keep-debug, eu-strip):
 * the places that GDB looks at, in its order (GDB manual, "Debugging Information in Separate
 * Files"). Whether what lies there belongs to the binary is for the caller to check. Thread-safe.
 */
#ifndef SCA_DEBUG_FILE_H
#define SCA_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_debug_link {
    const char *binary;   /* path of the stripped file */
    const char *build_id; /* lower-case hex digits; "" if it has none */
    const char *name;     /* from its .gnu_debuglink; NULL if it has none */
};

enum { SCA_DEBUG_FILE_PLACES = 4 };

/* Writes the place numbered `which` (from 0); false if the binary names none of that kind, or the
 * path does not fit. */
bool sca_debug_file_place(const struct sca_debug_link *link, unsigned which, char *out,
                          size_t size);

/* The bytes of a .gnu_debuglink section: the file's name, NULL if damaged (or if it would lead
 * into another folder), and the file's CRC-32. */
const char *sca_debug_file_link_name(const void *section, size_t length, uint32_t *crc);
/* Whether a file has this CRC-32: only binaries without build-id need to ask. */
bool sca_debug_file_has_crc(const char *path, uint32_t crc);

#endif
