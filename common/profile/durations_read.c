#include "profile/durations.h"
#include "sca_error.h"

#include <string.h>

enum { MANTISSA = 52, BIAS = 1023, MOST_BITS = 20 };

double sca_durations_decoded(uint64_t code, unsigned bits)
{
    uint64_t whole = (code - 1 + ((uint64_t)BIAS << bits)) << (MANTISSA - bits);
    double variance;
    memcpy(&variance, &whole, sizeof variance);
    return code && code >> bits <= BIAS ? variance : 0;
}

/* ---- records ---- */

struct reading {
    struct sca_region *region;
    const struct sca_tables *t;
    enum sca_timed timed;
    uint32_t n; /* records of the table */
    struct sca_durations *out;
    uint32_t *nout;
};

/* What the table says: count 0 where nothing was booked. */
static struct sca_durations base_of(const struct reading *r, uint32_t i)
{
    if (r->timed == SCA_TIMED_SITES) {
        const struct sca_part_site *s = (const struct sca_part_site *)r->t->record[SCA_T_SITES] + i;
        return (struct sca_durations){
            .previous = SCA_NONE, .site = i, .count = s->count, .total_ns = (double)s->time_ns};
    }
    const struct sca_part_interval *v =
        (const struct sca_part_interval *)r->t->record[SCA_T_INTERVALS] + i;
    return (struct sca_durations){.previous = v->previous,
                                  .site = v->site,
                                  .count = v->count,
                                  .total_ns = (double)v->cpu_ns + (double)v->blocked_ns};
}

/* The fullest class is the rest: it may have stopped, and a rank may be just at it. */
static void fill_fullest(struct sca_durations *d, uint32_t fullest)
{
    uint64_t others = 0;
    for (uint32_t k = 0; k < d->n; k++)
        others += k == fullest ? 0 : d->classes[k];
    if (d->n)
        d->classes[fullest] = d->count > others ? d->count - others : 0;
}

static bool has_classes(struct reading *r, struct sca_durations *d, uint32_t first, uint32_t n)
{
    d->first = (uint8_t)first;
    d->n = (uint8_t)n;
    d->classes = n ? sca_region_array(r->region, n, sizeof *d->classes) : NULL;
    return !n || d->classes;
}

/* ---- of a part ---- */

static bool take_live(struct reading *r, const struct sca_part_durations *live,
                      struct sca_durations *d)
{
    uint32_t first = 0, end = SCA_DURATION_CLASSES, fullest = 0;
    while (first < end && !live->classes[first])
        first++;
    while (end > first && !live->classes[end - 1])
        end--;
    if (!has_classes(r, d, first, end - first))
        return false;
    for (uint32_t k = 0; k < d->n; k++) {
        d->classes[k] = live->classes[first + k];
        fullest = d->classes[k] > d->classes[fullest] ? k : fullest;
    }
    fill_fullest(d, fullest);
    d->squares = live->squares;
    if (!r->t->header.timed.about_mean)
        d->squares -= d->total_ns * d->total_ns / (double)d->count;
    d->squares = d->squares > 0 ? d->squares : 0;
    return true;
}

static int read_live(struct reading *r, const struct sca_tables_durations *of)
{
    for (uint32_t i = 0; i < of->n; i++) {
        struct sca_durations d = base_of(r, i);
        if (d.count && !take_live(r, &of->live[i], &d))
            return sca_fail(SCA_ENOMEM, "out of memory");
        if (d.count && d.n) /* else nobody counts them (durations_write.c) */
            r->out[(*r->nout)++] = d;
    }
    return SCA_OK;
}

/* ---- of an image ---- */

static int damaged(void)
{
    return sca_fail(SCA_EFORMAT, "durations that do not fit their table");
}

/* Only one: it is the total. */
static bool take_single(struct reading *r, struct sca_durations *d)
{
    if (!has_classes(r, d, sca_duration_class((uint64_t)d->total_ns), 1))
        return false;
    d->classes[0] = 1;
    return true;
}

/* The columns of the records that are told, one behind the other. */
struct told {
    uint32_t n, *place;
    double *variance;
    const uint8_t *first, *number, *fullest;
};

static int take_told(struct reading *r, struct sca_reader *in, const struct told *told, uint32_t k)
{
    uint32_t first = told->first[k], n = told->number[k], fullest = told->fullest[k];
    struct sca_durations d = base_of(r, told->place[k]);
    if (first + n > SCA_DURATION_CLASSES || !n || fullest >= n)
        return damaged();
    if (!has_classes(r, &d, first, n))
        return sca_fail(SCA_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < n; i++)
        d.classes[i] = i == fullest ? 0 : sca_wire_get_varint(in);
    fill_fullest(&d, fullest);
    d.squares = told->variance[k] * (double)d.count;
    if (d.count)
        r->out[(*r->nout)++] = d;
    return SCA_OK;
}

static int read_places(struct reading *r, struct sca_reader *in, struct told *out)
{
    uint64_t next = 0, step;
    out->place = sca_region_array(r->region, r->n, sizeof *out->place);
    out->variance = sca_region_array(r->region, r->n, sizeof *out->variance);
    if (!out->place || !out->variance)
        return sca_fail(SCA_ENOMEM, "out of memory");
    while ((step = sca_wire_get_varint(in)) && !in->failed) {
        if (step > r->n - next)
            return damaged();
        next += step;
        out->place[out->n++] = (uint32_t)next - 1;
    }
    return SCA_OK;
}

static int read_coded(struct reading *r, const struct sca_tables_durations *coded)
{
    struct sca_reader in;
    struct told told = {0};
    sca_wire_reader_init(&in, coded->coded, coded->length);
    uint64_t bits = sca_wire_get_varint(&in);
    int status = in.failed || bits > MOST_BITS ? damaged() : read_places(r, &in, &told);
    for (uint32_t k = 0; status == SCA_OK && k < told.n; k++)
        told.variance[k] = sca_durations_decoded(sca_wire_get_varint(&in), (unsigned)bits);
    told.first = sca_wire_get_bytes(&in, told.n);
    told.number = sca_wire_get_bytes(&in, told.n);
    told.fullest = sca_wire_get_bytes(&in, told.n);
    if (status == SCA_OK && in.failed)
        return damaged();
    for (uint32_t k = 0; status == SCA_OK && k < told.n; k++)
        status = take_told(r, &in, &told, k);
    if (status == SCA_OK && (in.failed || sca_wire_left(&in)))
        return damaged();
    for (uint32_t i = 0; status == SCA_OK && i < r->n; i++) {
        struct sca_durations d = base_of(r, i);
        if (d.count != 1)
            continue;
        if (!take_single(r, &d))
            return sca_fail(SCA_ENOMEM, "out of memory");
        r->out[(*r->nout)++] = d;
    }
    return status;
}

static int read_table(struct sca_region *region, const struct sca_tables *t, enum sca_timed timed,
                      struct sca_durations *out, uint32_t *n)
{
    enum sca_part_table table = timed == SCA_TIMED_SITES ? SCA_T_SITES : SCA_T_INTERVALS;
    struct reading r = {region, t, timed, t->header.table[table].count, out, n};
    return t->durations[timed].live ? read_live(&r, &t->durations[timed])
                                    : read_coded(&r, &t->durations[timed]);
}

int sca_durations_read(struct sca_region *region, const struct sca_tables *t,
                       struct sca_durations **out, uint32_t *n)
{
    *n = 0;
    *out = NULL;
    for (int i = 0; i < SCA_TIMED_COUNT; i++)
        if (!t->durations[i].live && !t->durations[i].coded)
            return SCA_OK;
    size_t most =
        (size_t)t->header.table[SCA_T_SITES].count + t->header.table[SCA_T_INTERVALS].count;
    *out = sca_region_array(region, most, sizeof **out);
    int status = *out ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
    for (int i = 0; status == SCA_OK && i < SCA_TIMED_COUNT; i++)
        status = read_table(region, t, (enum sca_timed)i, *out, n);
    return status;
}
