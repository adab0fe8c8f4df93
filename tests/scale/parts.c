#include "parts.h"
#include "sca_error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t aligned(size_t length)
{
    return (length + 7) / 8 * 8;
}

static int write_part(const struct sca_tables *tables, const char *path)
{
    static const char zeros[8];
    struct sca_part_header header = tables->header;
    size_t at = aligned(sizeof header);
    for (int t = 0; t < SCA_T_COUNT; t++) {
        header.table[t].offset = at;
        at += aligned((size_t)header.table[t].count * sca_table_stride[t]);
    }
    FILE *file = fopen(path, "wb");
    if (!file)
        return sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
    fwrite(&header, sizeof header, 1, file);
    fwrite(zeros, 1, aligned(sizeof header) - sizeof header, file);
    for (int t = 0; t < SCA_T_COUNT; t++) {
        size_t length = (size_t)header.table[t].count * sca_table_stride[t];
        if (length)
            fwrite(tables->record[t], 1, length, file);
        fwrite(zeros, 1, aligned(length) - length, file);
    }
    bool bad = ferror(file);
    bad |= fclose(file) != 0;
    return bad ? sca_fail(SCA_EIO, "%s: cannot be written", path) : SCA_OK;
}

int scale_write_parts(const struct scale_run *run, const struct scale_rows *meta,
                      const char *directory, uint32_t missing)
{
    struct scale_rows rows[SCA_T_COUNT] = {{0}};
    int status = SCA_OK;
    if (mkdir(directory, 0777) && errno != EEXIST)
        return sca_fail(SCA_EIO, "%s: %s", directory, strerror(errno));
    for (uint32_t r = 0; status == SCA_OK && r < run->plan->ranks; r++) {
        char path[4096];
        struct sca_tables tables = scale_rank_tables(run, r, rows);
        tables.record[SCA_T_META] = meta->bytes;
        tables.header.table[SCA_T_META].count = meta->count;
        tables.header.table[SCA_T_META].capacity = meta->count;
        tables.header.state = SCA_RUNNING; /* it was killed */
        snprintf(path, sizeof path, "%s/rank-%u.part", directory, r);
        if (r != missing)
            status = write_part(&tables, path);
    }
    for (int t = 0; t < SCA_T_COUNT; t++)
        free(rows[t].bytes);
    return status;
}
