/* The phases of the chunk "SERI" into the series. */
#include "profile/series_code.h"
#include "profile/series_load.h"

#include <string.h>

static double get_code(struct sca_reader *r)
{
    return 1e-9 * sca_series_decode((int64_t)sca_wire_get_varint(r));
}

static struct sca_series_spread get_spread(struct sca_reader *r)
{
    struct sca_series_spread s = {.min = get_code(r)};
    s.median = get_code(r);
    s.max = get_code(r);
    s.mean = get_code(r);
    return s;
}

static const char *get_name(struct sca_region *region, struct sca_reader *r)
{
    size_t length = 0;
    const char *text = sca_wire_get_string(r, &length);
    char *name = text ? sca_region_array(region, length + 1, 1) : NULL;
    if (name)
        memcpy(name, text, length);
    return name;
}

static void get_phase(struct sca_region *region, struct sca_reader *r, struct sca_series_phase *p)
{
    uint64_t parent = sca_wire_get_varint(r);
    p->parent = parent ? (uint32_t)parent - 1 : SCA_NONE;
    p->name = get_name(region, r);
    p->nranks = (uint32_t)sca_wire_get_varint(r);
    p->count = sca_wire_get_varint(r);
    p->slowest = (uint32_t)sca_wire_get_varint(r);
    p->begin = 1024e-9 * (double)sca_wire_get_varint(r);
    p->end = 1024e-9 * (double)sca_wire_get_varint(r);
    p->span = get_code(r);
    p->off_mean = get_code(r);
    p->own = get_spread(r);
    p->mpi = get_spread(r);
}

bool sca_phases_read(struct sca_region *region, struct sca_reader *r, uint32_t nranks,
                     struct sca_series *series)
{
    uint64_t n = sca_wire_get_varint(r);
    if (n > SCA_SERIES_PHASES)
        r->failed = true;
    if (r->failed)
        return true;
    series->phases = sca_region_array(region, n + 1, sizeof *series->phases);
    if (!series->phases)
        return false;
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        struct sca_series_phase *p = &series->phases[i];
        get_phase(region, r, p);
        if (!r->failed && !p->name)
            return false;
        r->failed |= (p->parent != SCA_NONE && p->parent >= i) || p->slowest >= nranks;
    }
    series->nphases = (uint32_t)n;
    return true;
}
