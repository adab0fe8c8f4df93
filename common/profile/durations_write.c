#include "profile/durations.h"

#include <string.h>

enum {
    ALL_BITS = 7,   /* of a variance: a deviation to 0.2 % */
    FEW_BITS = 3,   /* to 3 % */
    FEW_DIGITS = 3, /* of a class that is not the fullest: to 6 % */
    MANTISSA = 52,
    BIAS = 1023
};

struct sca_durations_digits {
    unsigned bits, classes; /* 0: all */
};

uint64_t sca_durations_code(double variance, unsigned bits)
{
    uint64_t whole;
    if (!(variance >= 1))
        return 0;
    memcpy(&whole, &variance, sizeof whole);
    whole += 1ull << (MANTISSA - bits - 1); /* to the nearest */
    return (whole >> (MANTISSA - bits)) - ((uint64_t)BIAS << bits) + 1;
}

/* What stands in one record of either table. */
struct timed {
    uint64_t count, total_ns;
    const struct sca_part_durations *durations;
};

static struct timed timed_of(const struct sca_tables *t, enum sca_timed timed, uint32_t i)
{
    const struct sca_part_durations *d = &t->durations[timed].live[i];
    if (timed == SCA_TIMED_SITES) {
        const struct sca_part_site *s = (const struct sca_part_site *)t->record[SCA_T_SITES] + i;
        return (struct timed){s->count, s->time_ns, d};
    }
    const struct sca_part_interval *v =
        (const struct sca_part_interval *)t->record[SCA_T_INTERVALS] + i;
    return (struct timed){v->count, v->cpu_ns + v->blocked_ns, d};
}

/* First and number of the classes that have any, and which of them is the fullest. */
struct extent {
    uint32_t first, n, fullest;
};

static struct extent extent_of(const struct sca_part_durations *d)
{
    struct extent e = {0};
    for (uint32_t k = 0; k < SCA_DURATION_CLASSES; k++) {
        if (!d->classes[k])
            continue;
        e.first = e.n ? e.first : k;
        e.n = k + 1 - e.first;
        if (d->classes[k] > d->classes[e.first + e.fullest])
            e.fullest = k - e.first;
    }
    return e;
}

static uint64_t shortened(uint64_t n, unsigned digits)
{
    if (!digits || !(n >> digits))
        return n;
    unsigned surplus = 64 - digits - (unsigned)__builtin_clzll(n);
    return ((n + (1ull << (surplus - 1))) >> surplus) << surplus;
}

static double variance_of(const struct sca_tables *t, const struct timed *r)
{
    double n = (double)r->count, total = (double)r->total_ns, sum = r->durations->squares;
    if (!r->count)
        return 0;
    return t->header.timed.about_mean ? sum / n : (sum - total * total / n) / n;
}

static void put_classes(struct sca_writer *w, const struct sca_part_durations *d, unsigned digits)
{
    struct extent e = extent_of(d);
    for (uint32_t k = 0; k < e.n; k++)
        if (k != e.fullest) /* the rest of all */
            sca_wire_put_varint(w, shortened(d->classes[e.first + k], digits));
}

/* A single duration is the total, and is not told. Of many ranks only what takes long is. Waits
 * outside MPI (prof/outside) are sites whose durations nobody counts. */
static bool is_told(const struct sca_tables *t, const struct timed *r)
{
    bool few = t->header.size <= SCA_DURATIONS_ALL_RANKS;
    return r->count > 1 && extent_of(r->durations).n &&
           (few || r->total_ns * SCA_DURATIONS_LEAST_PART >= t->header.wall_ns);
}

enum column { PLACE, VARIANCE, FIRST, NUMBER, FULLEST, CLASSES, COLUMNS };

static void put_cell(struct sca_writer *w, enum column column, const struct timed *r,
                     const struct sca_durations_digits *digits, double variance)
{
    struct extent e = extent_of(r->durations);
    if (column == VARIANCE)
        sca_wire_put_varint(w, sca_durations_code(variance, digits->bits));
    else if (column == CLASSES)
        put_classes(w, r->durations, digits->classes);
    else
        sca_wire_put_u8(w, (uint8_t)(column == FIRST    ? e.first
                                     : column == NUMBER ? e.n
                                                        : e.fullest));
}

static void put_column(struct sca_writer *w, const struct sca_tables *t, enum sca_timed timed,
                       enum column column, const struct sca_durations_digits *digits)
{
    uint32_t n = t->durations[timed].n;
    for (uint32_t i = 0, last = 0; i < n; i++) {
        struct timed r = timed_of(t, timed, i);
        if (!is_told(t, &r))
            continue;
        if (column == PLACE)
            sca_wire_put_varint(w, i + 1 - last);
        else
            put_cell(w, column, &r, digits, variance_of(t, &r));
        last = i + 1;
    }
    if (column == PLACE)
        sca_wire_put_varint(w, 0);
}

/* What resembles lies together: first all places in the table, then all variances ... */
void sca_durations_encode(struct sca_writer *w, const struct sca_tables *t, enum sca_timed timed)
{
    bool exact = t->header.size <= SCA_DURATIONS_EXACT_RANKS;
    const struct sca_durations_digits digits = {exact ? ALL_BITS : FEW_BITS,
                                                exact ? 0 : FEW_DIGITS};
    if (!t->durations[timed].live)
        return;
    sca_wire_put_varint(w, digits.bits);
    for (enum column c = PLACE; c < COLUMNS; c++)
        put_column(w, t, timed, c, &digits);
}
