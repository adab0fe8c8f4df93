/* A file of the kernel's, read at once. Does not allocate. */
#ifndef SCA_PROF_SMALL_FILE_H
#define SCA_PROF_SMALL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* What fits in `size` bytes with a NUL. False: there is nothing; then it is "". */
bool sca_small_file_read(const char *path, char *text, size_t size);
/* The same of a file that may hold NULs: how many bytes there are before the one behind them. */
size_t sca_small_file_bytes(const char *path, char *text, size_t size);

#endif
