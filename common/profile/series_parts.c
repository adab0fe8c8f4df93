/* The series of a run that left its parts: put together as its rank 0 would have. */
#include "profile/series_load.h"
#include "profile/series_marks.h"

#include <stdlib.h>

enum { MOST_BYTES = SCA_SERIES_MARKS * 64 + SCA_SERIES_PHASES * 160 };

struct sca_series_parts {
    struct sca_series_sum sum;
    struct sca_region memory;
    uint32_t nranks;
    uint8_t bytes[MOST_BYTES];
};

static void *take(void *parts, size_t bytes)
{
    return sca_region_alloc(&((struct sca_series_parts *)parts)->memory, bytes);
}

struct sca_series_parts *sca_series_parts_begin(uint32_t nranks)
{
    struct sca_series_parts *parts = calloc(1, sizeof *parts);
    if (parts) {
        parts->nranks = nranks;
        sca_series_sum_begin(&parts->sum, nranks, take, parts);
    }
    return parts;
}

void sca_series_parts_add(struct sca_series_parts *parts, const struct sca_tables *tables)
{
    struct sca_writer w;
    if (!parts || !tables->series)
        return;
    const struct sca_phases phases = {tables->phases, tables->nphases,
                                      tables->record[SCA_T_STRINGS]};
    struct sca_series_marks own = sca_series_choose(&tables->header.series, tables->series);
    sca_wire_writer_init(&w, parts->bytes, sizeof parts->bytes);
    sca_series_put(&w, &own, sca_series_most(parts->nranks), &phases);
    sca_series_sum_add(&parts->sum, tables->header.rank, parts->bytes, w.failed ? 0 : w.length);
}

static void make(struct sca_series_parts *parts, struct sca_region *region,
                 struct sca_profile *profile)
{
    struct sca_writer w;
    size_t size = sca_series_sum_size(&parts->sum);
    uint8_t *bytes = size ? malloc(size) : NULL;
    if (!bytes)
        return;
    sca_wire_writer_init(&w, bytes, size);
    sca_series_sum_put(&parts->sum, &w);
    if (w.length && !w.failed)
        sca_series_read(region, bytes, w.length, profile, &profile->series);
    free(bytes);
}

void sca_series_parts_end(struct sca_series_parts *parts, struct sca_region *region,
                          struct sca_profile *profile)
{
    if (!parts)
        return;
    if (profile)
        make(parts, region, profile);
    sca_region_free(&parts->memory);
    free(parts);
}
