/* Iterations and named phases of a copy: taken of a part, and on their way to another host. */
#include "profile/copy_memory.h"
#include "profile/series_marks.h"
#include "profile/tables.h"
#include "sca_error.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BOUND_NUMBER = 10 /* bytes at most */, HEAD = 3 /* numbers */ };

struct series_field {
    uint8_t offset, size;
};
#define MARK(field)                                                                                \
    {offsetof(struct sca_part_mark, field), sizeof(((struct sca_part_mark *)0)->field)}
#define PHASE(field)                                                                               \
    {offsetof(struct sca_part_phase, field), sizeof(((struct sca_part_phase *)0)->field)}

static const struct series_field mark_fields[] = {
    MARK(end_ns), MARK(compute_ns), MARK(mpi_ns),  MARK(off_ns), MARK(kind), MARK(number),
    MARK(site),   MARK(memory_kb),  MARK(section), MARK(begins), MARK(phase)};
static const struct series_field phase_fields[] = {
    PHASE(name),       PHASE(parent), PHASE(count),  PHASE(begin_ns), PHASE(end_ns),
    PHASE(compute_ns), PHASE(mpi_ns), PHASE(off_ns), PHASE(wall_ns)};

enum {
    MARK_FIELDS = sizeof mark_fields / sizeof *mark_fields,
    PHASE_FIELDS = sizeof phase_fields / sizeof *phase_fields
};

/* ---- taken ---- */

static bool make_room(struct sca_copy_series *s)
{
    s->marks = calloc(s->nmarks + 1ul, sizeof *s->marks);
    s->phases = calloc(s->nphases + 1ul, sizeof *s->phases);
    return s->marks && s->phases;
}

bool sca_copy_series_take(const struct sca_tables *tables, struct sca_copy *out)
{
    const struct sca_series_marks own = sca_series_choose(&tables->header.series, tables->series);
    struct sca_copy_series *s = &out->series;
    *s =
        (struct sca_copy_series){.source = own.source, .nmarks = own.n, .nphases = tables->nphases};
    if (!make_room(s))
        return false;
    s->nmarks = sca_series_thin(&own, sca_series_most(tables->header.size), s->marks, NULL);
    if (s->nphases)
        memcpy(s->phases, tables->phases, s->nphases * sizeof *s->phases);
    return true;
}

void sca_copy_series_drop(struct sca_copy *copy)
{
    free(copy->series.marks);
    free(copy->series.phases);
    copy->series = (struct sca_copy_series){0};
}

/* ---- on their way ---- */

/* Field by field, each as the difference from the record before. */
static void put_rows(struct sca_writer *to, const void *rows, uint32_t n, size_t stride,
                     const struct series_field *fields, size_t nfields)
{
    for (size_t f = 0; f < nfields; f++) {
        uint64_t before = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint64_t now = 0; /* little-endian, as parts are */
            memcpy(&now, (const uint8_t *)rows + i * stride + fields[f].offset, fields[f].size);
            sca_wire_put_svarint(to, (int64_t)(now - before));
            before = now;
        }
    }
}

static void get_rows(struct sca_reader *from, void *rows, uint32_t n, size_t stride,
                     const struct series_field *fields, size_t nfields)
{
    for (size_t f = 0; f < nfields; f++) {
        uint64_t now = 0;
        for (uint32_t i = 0; i < n; i++) {
            now += (uint64_t)sca_wire_get_svarint(from);
            memcpy((uint8_t *)rows + i * stride + fields[f].offset, &now, fields[f].size);
        }
    }
}

size_t sca_copy_series_bound(const struct sca_copy *copy)
{
    const struct sca_copy_series *s = &copy->series;
    size_t numbers = HEAD + (size_t)s->nmarks * MARK_FIELDS + (size_t)s->nphases * PHASE_FIELDS;
    return numbers * BOUND_NUMBER;
}

void sca_copy_series_send(const struct sca_copy *copy, struct sca_writer *to)
{
    const struct sca_copy_series *s = &copy->series;
    sca_wire_put_varint(to, s->source);
    sca_wire_put_varint(to, s->nmarks);
    sca_wire_put_varint(to, s->nphases);
    put_rows(to, s->marks, s->nmarks, sizeof *s->marks, mark_fields, MARK_FIELDS);
    put_rows(to, s->phases, s->nphases, sizeof *s->phases, phase_fields, PHASE_FIELDS);
}

static int no_series(struct sca_copy *copy, int status, const char *why)
{
    sca_copy_series_drop(copy);
    return sca_fail(status, "%s", why);
}

int sca_copy_series_receive(struct sca_copy *copy, struct sca_reader *from)
{
    static const char *const wrong = "not a series of a rank";
    struct sca_copy_series *s = &copy->series;
    sca_copy_series_drop(copy);
    uint64_t source = sca_wire_get_varint(from), marks = sca_wire_get_varint(from);
    uint64_t phases = sca_wire_get_varint(from);
    if (from->failed || source >= SCA_SERIES_SOURCES || marks > SCA_SERIES_MARKS ||
        phases > SCA_SERIES_PHASES ||
        marks * MARK_FIELDS + phases * PHASE_FIELDS > sca_wire_left(from))
        return no_series(copy, SCA_EFORMAT, wrong);
    *s = (struct sca_copy_series){
        .source = (uint32_t)source, .nmarks = (uint32_t)marks, .nphases = (uint32_t)phases};
    if (!make_room(s))
        return no_series(copy, SCA_ENOMEM, "out of memory");
    get_rows(from, s->marks, s->nmarks, sizeof *s->marks, mark_fields, MARK_FIELDS);
    get_rows(from, s->phases, s->nphases, sizeof *s->phases, phase_fields, PHASE_FIELDS);
    return from->failed ? no_series(copy, SCA_EFORMAT, wrong) : SCA_OK;
}
