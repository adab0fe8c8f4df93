#include "library/rows.h"
#include "library/arguments.h"
#include "sca_error.h"

#include <stdalign.h>
#include <string.h>

static int check(const void *out, size_t size)
{
    int status = sca_arguments_there(out, "out");
    if (status == SCA_OK && !size)
        status = sca_fail(SCA_EINVAL, "size is 0: give the sizeof of a row");
    return status;
}

/* A longer row of the caller's ends in zeros. */
static void give(const void *filled, size_t row, void *out, size_t size)
{
    memcpy(out, filled, size < row ? size : row);
    if (size > row)
        memset((char *)out + row, 0, size - row);
}

int sca_rows_copy(const struct sca_listing *rows, uint32_t first, uint32_t count, void *out,
                  size_t size)
{
    alignas(max_align_t) char row[SCA_ROW_MOST];
    int status = sca_arguments_range(first, count, rows->n, rows->what);
    if (status == SCA_OK && count)
        status = check(out, size);
    for (uint32_t i = 0; status == SCA_OK && i < count; i++) {
        memset(row, 0, rows->row);
        rows->fill(rows->source, first + i, row);
        give(row, rows->row, (char *)out + i * size, size);
    }
    return status;
}

int sca_rows_copy_one(const void *filled, size_t row, void *out, size_t size)
{
    int status = check(out, size);
    if (status == SCA_OK)
        give(filled, row, out, size);
    return status;
}
