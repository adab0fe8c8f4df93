/*
 * Lists as they are handed out: rows of the caller's size, which may be that of an older or a newer
 * release.
 */
#ifndef SCA_LIBRARY_ROWS_H
#define SCA_LIBRARY_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { SCA_ROW_MOST = 512 }; /* bytes of the longest row */

struct sca_listing {
    const char *what; /* many of them: "waits" */
    uint32_t n;       /* how many there are */
    size_t row;       /* bytes of one in this release, at most SCA_ROW_MOST */
    void (*fill)(const void *source, uint32_t i, void *row);
    const void *source;
};

/* Rows first ... first + count - 1 into `out`, `size` bytes each. SCA_EINVAL. */
int sca_rows_copy(const struct sca_listing *rows, uint32_t first, uint32_t count, void *out,
                  size_t size);

/* One row that is filled already: `row` bytes of it. SCA_EINVAL. */
int sca_rows_copy_one(const void *filled, size_t row, void *out, size_t size);

#endif
