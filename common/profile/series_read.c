/* The chunk "SERI" into the profile. */
#include "profile/profile_load.h"
#include "profile/series_code.h"
#include "profile/series_events.h"
#include "profile/series_load.h"
#include "sca_error.h"

#include <math.h>
#include <string.h>

/* The next of a column, whose last code is in *before. */
static double next(struct sca_reader *r, int64_t *before)
{
    *before = (int64_t)((uint64_t)*before + (uint64_t)sca_wire_get_svarint(r));
    return sca_series_decode(*before);
}

static bool read_sections(struct sca_reader *r, uint32_t source, uint32_t factor,
                          struct sca_series *s)
{
    for (uint32_t i = 0; i < s->nsections; i++) {
        struct sca_series_section *at = &s->sections[i];
        uint64_t npoints = sca_wire_get_varint(r);
        at->source = source;
        at->site = (uint32_t)sca_wire_get_varint(r);
        at->before = sca_wire_get_varint(r);
        at->begin = 1024e-9 * (double)sca_wire_get_varint(r);
        if (r->failed || npoints > SCA_SERIES_MARKS)
            return false;
        at->first = s->npoints;
        at->npoints = (uint32_t)npoints;
        at->rank_first = s->nrank_points;
        at->factor = factor;
        at->nrank_points = (at->npoints + factor - 1) / factor;
        s->npoints += at->npoints;
        s->nrank_points += at->nrank_points;
    }
    return s->npoints <= SCA_SERIES_MARKS;
}

static void read_ranks(struct sca_reader *r, struct sca_series *s)
{
    uint64_t rank = 0;
    for (uint32_t k = 0; k < s->nranks && !r->failed; k++) {
        int64_t before = 0;
        s->ranks[k] = (uint32_t)(rank += sca_wire_get_varint(r));
        for (uint32_t i = 0; i < s->nrank_points; i++)
            s->own[(size_t)k * s->nrank_points + i] = (float)(1e-9 * next(r, &before));
    }
}

static void put_figure(struct sca_series_point *p, int column, int64_t exact, double ns)
{
    struct sca_series_spread *spread = column < SCA_SERIES_MPI ? &p->own : &p->mpi;
    double *const of[] = {&spread->min, &spread->median, &spread->max, &spread->mean};
    if (column == SCA_SERIES_ITERATIONS)
        p->iterations = (uint32_t)exact;
    else if (column == SCA_SERIES_SLOWEST)
        p->slowest = (uint32_t)exact;
    else if (column == SCA_SERIES_MEMORY)
        p->memory_kb = (uint32_t)ns;
    else if (column == SCA_SERIES_DURATION)
        p->end = 1e-9 * ns;
    else if (column == SCA_SERIES_SPAN)
        p->span = 1e-9 * ns;
    else if (column == SCA_SERIES_DEVIATION)
        p->deviation = 1e-9 * ns;
    else if (column == SCA_SERIES_OFF_MEAN)
        p->off_mean = 1e-9 * ns;
    else if (column == SCA_SERIES_OFF_MAX)
        p->off_max = 1e-9 * ns;
    else
        *of[(column - SCA_SERIES_OWN) % 4] = 1e-9 * ns;
}

static void read_columns(struct sca_reader *r, struct sca_series *s)
{
    for (int c = 0; c < SCA_SERIES_COLUMNS; c++) {
        int64_t before = 0;
        for (uint32_t i = 0; i < s->npoints; i++) {
            double ns = next(r, &before);
            put_figure(&s->points[i], c, before, ns);
        }
    }
    for (uint32_t i = 0; i < s->npoints; i++) {
        s->points[i].kind = sca_wire_get_u32(r);
        s->points[i].phase = SCA_NONE;
        for (int k = 0; k < SCA_MAX_METRICS; k++)
            s->points[i].events[k] = (struct sca_series_events){(double)NAN, (double)NAN};
    }
}

/* Durations and iterations add up, section by section. */
static void read_points(struct sca_reader *r, struct sca_series *s)
{
    read_columns(r, s);
    for (uint32_t i = 0; i < s->nsections; i++) {
        const struct sca_series_section *section = &s->sections[i];
        struct sca_series_point before = {.number = section->before, .end = section->begin};
        for (uint32_t k = 0; k < section->npoints; k++) {
            struct sca_series_point *p = &s->points[section->first + k];
            p->number = before.number + p->iterations;
            p->end += before.end;
            before = *p;
        }
    }
}

/* And in which each point ends. */
static bool read_phases(struct sca_region *region, struct sca_reader *r, uint32_t nranks,
                        struct sca_series *s)
{
    if (!sca_phases_read(region, r, nranks, s))
        return false;
    for (uint32_t i = 0; i < s->npoints && !r->failed; i++) {
        uint64_t phase = sca_wire_get_varint(r);
        s->points[i].phase = phase ? (uint32_t)phase - 1 : SCA_NONE;
        r->failed |= phase > s->nphases;
    }
    return true;
}

static bool is_sound(const struct sca_series *s, uint32_t nranks, uint32_t nsites)
{
    for (uint32_t i = 0; i < s->nranks; i++)
        if (s->ranks[i] >= nranks)
            return false;
    for (uint32_t i = 0; i < s->npoints; i++)
        if (!s->points[i].iterations || s->points[i].slowest >= nranks)
            return false;
    for (uint32_t i = 0; i < s->nsections; i++)
        if (s->sections[i].site >= nsites)
            s->sections[i].site = 0;
    return true;
}

static bool take_memory(struct sca_region *region, struct sca_series *s)
{
    s->points = sca_region_array(region, s->npoints + 1ul, sizeof *s->points);
    s->ranks = sca_region_array(region, s->nranks + 1ul, sizeof *s->ranks);
    s->own = sca_region_array(region, (size_t)s->nranks * s->nrank_points + 1, sizeof *s->own);
    return s->points && s->ranks && s->own;
}

int sca_series_read(struct sca_region *region, const void *content, size_t length,
                    const struct sca_profile *profile, struct sca_series **out)
{
    struct sca_reader r;
    struct sca_series *s = sca_region_array(region, 1, sizeof *s);
    if (!s)
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_wire_reader_init(&r, content, length);
    uint64_t version = sca_wire_get_varint(&r);
    if (version < SCA_SERIES_VERSION || version > SCA_SERIES_EVENTS_VERSION)
        return r.failed ? SCA_EFORMAT : SCA_OK; /* of a later release */
    s->nranks = (uint32_t)sca_wire_get_count(&r, 1);
    s->nleft_out = (uint32_t)sca_wire_get_varint(&r);
    uint32_t source = (uint32_t)sca_wire_get_varint(&r), factor = (uint32_t)sca_wire_get_varint(&r);
    s->nsections = (uint32_t)sca_wire_get_count(&r, 4);
    if (r.failed || source >= SCA_SERIES_SOURCES || !factor || s->nranks > profile->nranks)
        return SCA_EFORMAT;
    s->sections = sca_region_array(region, s->nsections + 1ul, sizeof *s->sections);
    if (!s->sections)
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (!read_sections(&r, source, factor, s))
        return SCA_EFORMAT;
    if (!take_memory(region, s))
        return sca_fail(SCA_ENOMEM, "out of memory");
    read_ranks(&r, s);
    read_points(&r, s);
    if (version >= SCA_SERIES_PHASES_VERSION && !read_phases(region, &r, profile->nranks, s))
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (version == SCA_SERIES_EVENTS_VERSION)
        sca_events_read(&r, s);
    if (r.failed || !is_sound(s, profile->nranks, UINT32_MAX))
        return SCA_EFORMAT;
    *out = s;
    return SCA_OK;
}
