/* The series of ranks become the run's: rank by rank into a matrix, then reductions over ranks. */
#include "profile/series_code.h"
#include "profile/series_marks.h"
#include "profile/spread.h"

#include <stddef.h>
#include <string.h>

/* The same loops as often, but for one iteration, and first ones. `marks` are the first such
 * rank's.
 */
struct sca_series_shape {
    uint32_t source, nmarks, nranks;
    struct sca_part_mark *marks;
    float *compute, *mpi, *off, *span; /* [mark][rank of the shape]: since the mark before */
    uint32_t *rank, *memory_kb;        /* [rank of the shape]; [mark] */
    struct sca_events_sum events;      /* likewise */
};

bool sca_series_sum_begin(struct sca_series_sum *sum, uint32_t nranks,
                          void *(*map)(void *context, size_t bytes), void *context)
{
    *sum = (struct sca_series_sum){.nranks = nranks,
                                   .map = map,
                                   .context = context,
                                   .phases = {.nranks = nranks, .map = map, .context = context}};
    sum->incoming = map(context, SCA_SERIES_MARKS * sizeof *sum->incoming);
    sum->events = map(context, SCA_SERIES_MARKS * sizeof *sum->events);
    return sum->incoming && sum->events;
}

static bool get_mark(struct sca_reader *r, const struct sca_part_mark *before,
                     struct sca_part_mark *m)
{
    uint64_t state = sca_wire_get_varint(r);
    m->begins = state & 1;
    m->phase = state >> 1 <= SCA_SERIES_PHASES ? (uint8_t)(state >> 1) : 0;
    uint32_t number = (uint32_t)sca_wire_get_varint(r);
    m->number = m->begins ? number : before->number + number;
    m->end_ns = before->end_ns + sca_wire_get_varint(r);
    m->compute_ns = before->compute_ns + sca_wire_get_varint(r);
    m->mpi_ns = before->mpi_ns + sca_wire_get_varint(r);
    m->off_ns = before->off_ns + sca_wire_get_varint(r);
    m->kind = sca_wire_get_u32(r);
    m->site = (uint32_t)sca_wire_get_varint(r);
    m->memory_kb = (uint32_t)sca_wire_get_varint(r);
    return !r->failed;
}

static uint32_t get_marks(struct sca_series_sum *sum, struct sca_reader *r, uint32_t *source)
{
    const struct sca_part_mark none = {0};
    *source = (uint32_t)sca_wire_get_varint(r);
    uint64_t n = sca_wire_get_varint(r);
    if (r->failed || n > SCA_SERIES_MARKS || *source >= SCA_SERIES_SOURCES)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        if (!get_mark(r, i ? &sum->incoming[i - 1] : &none, &sum->incoming[i]))
            return 0;
    sum->nmetrics = sca_mark_events_get(r, sum->events, (uint32_t)n);
    return n && sum->incoming[0].begins ? (uint32_t)n : 0;
}

/* ---- shapes ---- */

static bool ends_section(const struct sca_part_mark *marks, uint32_t n, uint32_t i)
{
    return i + 1 == n || marks[i + 1].begins;
}

/* The mark that ends the section in which `from` lies. */
static uint32_t end_of(const struct sca_part_mark *marks, uint32_t n, uint32_t from)
{
    while (!ends_section(marks, n, from))
        from++;
    return from;
}

static bool is_near(uint32_t a, uint32_t b)
{
    return (a > b ? a - b : b - a) <= 1;
}

/* They may be known from later on, but for most of the iterations. */
static bool is_same_section(const struct sca_part_mark *a, const struct sca_part_mark *a_end,
                            const struct sca_part_mark *b, const struct sca_part_mark *b_end)
{
    uint32_t later = a->number > b->number ? a->number : b->number;
    bool most = later <= a_end->number / 2;
    return is_near(a_end->number, b_end->number) && (is_near(a->number, b->number) || most);
}

/* Section by section as many iterations. */
static bool is_of(const struct sca_series_shape *s, const struct sca_part_mark *marks, uint32_t n)
{
    uint32_t i = 0, k = 0;
    while (i < s->nmarks && k < n) {
        uint32_t i_end = end_of(s->marks, s->nmarks, i), k_end = end_of(marks, n, k);
        if (!is_same_section(&s->marks[i], &s->marks[i_end], &marks[k], &marks[k_end]))
            return false;
        i = i_end + 1;
        k = k_end + 1;
    }
    return i == s->nmarks && k == n;
}

static bool map_matrix(struct sca_series_sum *sum, struct sca_series_shape *s)
{
    size_t bytes = (size_t)s->nmarks * sum->nranks * sizeof(float);
    s->marks = sum->map(sum->context, s->nmarks * sizeof *s->marks);
    s->rank = sum->map(sum->context, sum->nranks * sizeof *s->rank);
    s->memory_kb = sum->map(sum->context, s->nmarks * sizeof *s->memory_kb);
    float **of[] = {&s->compute, &s->mpi, &s->off, &s->span};
    bool fine = s->marks && s->rank && s->memory_kb;
    for (int i = 0; fine && i < 4; i++)
        fine = (*of[i] = sum->map(sum->context, bytes)) != NULL;
    return fine && sca_events_sum_begin(&s->events, sum->nmetrics, (size_t)s->nmarks * sum->nranks,
                                        sum->map, sum->context);
}

static struct sca_series_shape *shape_of(struct sca_series_sum *sum, uint32_t source, uint32_t n)
{
    for (uint32_t i = 0; i < sum->nshapes; i++)
        if (sum->shape[i]->source == source && is_of(sum->shape[i], sum->incoming, n))
            return sum->shape[i];
    if (sum->nshapes == SCA_SERIES_SHAPES)
        return NULL;
    struct sca_series_shape *s = sum->map(sum->context, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct sca_series_shape){.source = source, .nmarks = n};
    if (!map_matrix(sum, s))
        return NULL;
    memcpy(s->marks, sum->incoming, n * sizeof *s->marks);
    return sum->shape[sum->nshapes++] = s;
}

/* ---- ranks that are known from later on ---- */

static void move_rows(const struct sca_series_sum *sum, float *matrix, uint32_t from, uint32_t to,
                      uint32_t n)
{
    size_t row = sum->nranks;
    memmove(matrix + to * row, matrix + from * row, n * row * sizeof *matrix);
}

/* The section that begins at `first` begins at the mark `at` instead. */
static void cut_begin(const struct sca_series_sum *sum, struct sca_series_shape *s, uint32_t first,
                      uint32_t at)
{
    uint32_t n = s->nmarks - at;
    float *const of[] = {s->compute, s->mpi, s->off, s->span};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        move_rows(sum, of[i], at, first, n);
    for (uint32_t i = 0; i < s->events.nmetrics; i++)
        move_rows(sum, s->events.of[i], at, first, n);
    memmove(s->memory_kb + first, s->memory_kb + at, n * sizeof *s->memory_kb);
    memmove(s->marks + first, s->marks + at, n * sizeof *s->marks);
    s->marks[first].begins = 1;
    s->nmarks -= at - first;
}

/* All ranks of the shape are known from where the last one is. */
static void cut_begins(const struct sca_series_sum *sum, struct sca_series_shape *s, uint32_t n)
{
    for (uint32_t i = 0, k = 0; i < s->nmarks && k < n;) {
        uint32_t at = i, end = end_of(s->marks, s->nmarks, i), first = sum->incoming[k].number;
        while (!is_near(s->marks[i].number, first) && at < end && s->marks[at].number < first)
            at++;
        if (at > i)
            cut_begin(sum, s, i, at);
        i = end_of(s->marks, s->nmarks, i) + 1;
        k = end_of(sum->incoming, n, k) + 1;
    }
}

/* ---- a rank into the matrix ---- */

/* Totals when the rank's loop had come so far, between two marks in proportion. */
static struct sca_part_mark at_number(const struct sca_part_mark *marks, uint32_t *from,
                                      uint32_t end, uint32_t number)
{
    while (*from < end && marks[*from].number < number)
        ++*from;
    struct sca_part_mark m = marks[*from];
    if (m.number <= number || m.begins)
        return m;
    const struct sca_part_mark *b = &marks[*from - 1];
    double part = (double)(number - b->number) / (m.number - b->number);
    m.end_ns = b->end_ns + (uint64_t)(part * (double)(m.end_ns - b->end_ns));
    m.compute_ns = b->compute_ns + (uint64_t)(part * (double)(m.compute_ns - b->compute_ns));
    m.mpi_ns = b->mpi_ns + (uint64_t)(part * (double)(m.mpi_ns - b->mpi_ns));
    m.off_ns = b->off_ns + (uint64_t)(part * (double)(m.off_ns - b->off_ns));
    return m;
}

/* What was counted until it had come so far: where it was read, it was then. */
static const struct sca_mark_events *events_at(const struct sca_series_sum *sum, uint32_t at,
                                               uint32_t number)
{
    return sum->nmetrics && sum->incoming[at].number == number ? &sum->events[at] : NULL;
}

static void take_point(struct sca_series_sum *sum, struct sca_series_shape *s, uint32_t i,
                       const struct sca_part_mark *a, const struct sca_part_mark *b)
{
    size_t at = (size_t)i * sum->nranks + s->nranks;
    s->compute[at] = (float)(b->compute_ns - a->compute_ns);
    s->mpi[at] = (float)(b->mpi_ns - a->mpi_ns);
    s->off[at] = (float)(b->off_ns - a->off_ns);
    s->span[at] = (float)(b->end_ns - a->end_ns);
    if (b->memory_kb > s->memory_kb[i])
        s->memory_kb[i] = b->memory_kb;
}

static void take_rank(struct sca_series_sum *sum, struct sca_series_shape *s, uint32_t n)
{
    uint32_t from = 0, end = 0;
    struct sca_part_mark before = {0};
    const struct sca_mark_events *counted = NULL;
    for (uint32_t i = 0; i < s->nmarks; i++) {
        if (s->marks[i].begins) {
            from = i ? end + 1 : 0;
            end = end_of(sum->incoming, n, from);
            before = at_number(sum->incoming, &from, end, s->marks[i].number);
            counted = events_at(sum, from, s->marks[i].number);
            continue;
        }
        struct sca_part_mark now = at_number(sum->incoming, &from, end, s->marks[i].number);
        take_point(sum, s, i, &before, &now);
        const struct sca_mark_events *until = events_at(sum, from, s->marks[i].number);
        sca_events_sum_take(&s->events, (size_t)i * sum->nranks + s->nranks, counted, until);
        counted = until;
        before = now;
    }
}

/* What marks lie in is from now on numbered as in the sum. */
static void take_phases(struct sca_series_sum *sum, uint32_t rank, struct sca_reader *r, uint32_t n)
{
    uint8_t number[SCA_SERIES_PHASES + 1] = {0};
    if (!r->failed && sca_wire_left(r))
        sca_phase_sum_add(&sum->phases, rank, r, number);
    for (uint32_t i = 0; i < n; i++)
        sum->incoming[i].phase = number[sum->incoming[i].phase];
}

void sca_series_sum_add(struct sca_series_sum *sum, uint32_t rank, const void *bytes, size_t length)
{
    struct sca_reader r;
    uint32_t source = 0;
    sca_wire_reader_init(&r, bytes, length);
    uint32_t n = length && sum->incoming ? get_marks(sum, &r, &source) : 0;
    take_phases(sum, rank, &r, n);
    struct sca_series_shape *s = n ? shape_of(sum, source, n) : NULL;
    if (!s) {
        sum->nleft_out++;
        return;
    }
    cut_begins(sum, s, n);
    take_rank(sum, s, n);
    s->rank[s->nranks++] = rank;
}

/* ---- over ranks ---- */

static struct sca_series_shape *best(const struct sca_series_sum *sum)
{
    struct sca_series_shape *most = NULL;
    for (uint32_t i = 0; i < sum->nshapes; i++)
        if (!most || sum->shape[i]->nranks > most->nranks)
            most = sum->shape[i];
    return most;
}

/* The mean absolute one. */
static double deviation_of(const float *values, uint32_t n, double mean)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += values[i] > mean ? values[i] - mean : mean - values[i];
    return sum / n;
}

static float *row(const struct sca_series_sum *sum, float *matrix, uint32_t i)
{
    return matrix + (size_t)i * sum->nranks;
}

struct figures {
    double of[SCA_SERIES_COLUMNS];
};

/* Own time is computation and time off the core. */
static void fill_point(const struct sca_series_sum *sum, struct sca_series_shape *s, uint32_t i,
                       struct figures *out)
{
    const struct sca_part_mark *m = &s->marks[i];
    float *own = row(sum, s->compute, i), *off = row(sum, s->off, i);
    uint32_t n = s->nranks, slowest = sca_spread_greatest(own, n);
    out->of[SCA_SERIES_ITERATIONS] = m->number - m[-1].number;
    out->of[SCA_SERIES_DURATION] = (double)(m->end_ns - m[-1].end_ns);
    out->of[SCA_SERIES_SPAN] = sca_spread_mean(row(sum, s->span, i), n);
    out->of[SCA_SERIES_DEVIATION] = deviation_of(own, n, sca_spread_mean(own, n));
    out->of[SCA_SERIES_OFF_MEAN] = sca_spread_mean(off, n);
    out->of[SCA_SERIES_OFF_MAX] = off[sca_spread_greatest(off, n)];
    out->of[SCA_SERIES_SLOWEST] = s->rank[slowest];
    out->of[SCA_SERIES_MEMORY] = s->memory_kb[i];
    sca_spread_of(&out->of[SCA_SERIES_OWN], own, n);
    sca_spread_of(&out->of[SCA_SERIES_MPI], row(sum, s->mpi, i), n);
}

/* Durations add up to when points end: what one was rounded by (`owed`) goes into the next. */
static int64_t code_of(int column, double value, double *owed)
{
    if (sca_series_is_exact(column))
        return (int64_t)value;
    if (column != SCA_SERIES_DURATION)
        return sca_series_code(value);
    int64_t code = sca_series_code(value + *owed);
    *owed += value - sca_series_decode(code);
    return code;
}

static void put_columns(const struct sca_series_shape *s, const struct figures *all,
                        struct sca_writer *w)
{
    for (int c = 0; c < SCA_SERIES_COLUMNS; c++) {
        int64_t before = 0;
        double owed = 0;
        for (uint32_t i = 0; i < s->nmarks; i++) {
            if (s->marks[i].begins) {
                owed = 0;
                continue;
            }
            int64_t code = code_of(c, all[i].of[c], &owed);
            sca_wire_put_svarint(w, code - before);
            before = code;
        }
    }
    for (uint32_t i = 0; i < s->nmarks; i++)
        if (!s->marks[i].begins)
            sca_wire_put_u32(w, (uint32_t)(s->marks[i].kind - s->marks[i - 1].kind));
}

static void add_off(const struct sca_series_sum *sum, struct sca_series_shape *s)
{
    for (size_t i = 0; i < (size_t)s->nmarks * sum->nranks; i++)
        s->compute[i] += s->off[i];
}

/* So many points of one rank become one, to have room for all ranks. */
static uint32_t factor_of(const struct sca_series_shape *s)
{
    uint32_t factor = 1;
    while (s->nmarks / factor * s->nranks > SCA_SERIES_RANK_VALUES && s->nmarks / factor > 16)
        factor *= 2;
    return factor;
}

static void put_rank(const struct sca_series_sum *sum, const struct sca_series_shape *s, uint32_t k,
                     uint32_t factor, struct sca_writer *w)
{
    double own = 0;
    uint32_t n = 0;
    int64_t before = 0;
    sca_wire_put_varint(w, k ? s->rank[k] - s->rank[k - 1] : s->rank[0]);
    for (uint32_t i = 0; i < s->nmarks; i++) {
        if (s->marks[i].begins)
            continue;
        own += s->compute[(size_t)i * sum->nranks + k];
        if (++n < factor && !ends_section(s->marks, s->nmarks, i))
            continue;
        sca_wire_put_svarint(w, sca_series_code(own) - before);
        before = sca_series_code(own);
        own = n = 0;
    }
}

/* Of a run that has phases alone. */
static void put_no_loop(const struct sca_series_sum *sum, struct sca_writer *w)
{
    sca_wire_put_varint(w, SCA_SERIES_PHASES_VERSION);
    sca_wire_put_varint(w, 0);
    sca_wire_put_varint(w, sum->nranks);
    sca_wire_put_varint(w, 0);
    sca_wire_put_varint(w, 1);
    sca_wire_put_varint(w, 0);
}

static bool has_events(const struct sca_series_shape *s)
{
    return s && s->events.nmetrics;
}

static void put_events(const struct sca_series_sum *sum, const struct sca_series_shape *s,
                       struct sca_writer *w)
{
    size_t *cells = sum->map(sum->context, s->nmarks * sizeof *cells);
    uint32_t n = 0;
    for (uint32_t i = 0; cells && i < s->nmarks; i++)
        if (!s->marks[i].begins)
            cells[n++] = (size_t)i * sum->nranks;
    if (cells)
        sca_events_sum_put(&s->events, cells, n, s->nranks, w);
    else
        w->failed = true;
}

/* Phases, and in which each point ends. */
static void put_phases(const struct sca_series_sum *sum, const struct sca_series_shape *s,
                       struct sca_writer *w)
{
    sca_phase_sum_put(&sum->phases, w);
    for (uint32_t i = 0; s && i < s->nmarks; i++)
        if (!s->marks[i].begins)
            sca_wire_put_varint(w, s->marks[i].phase);
}

static void put_head(const struct sca_series_sum *sum, const struct sca_series_shape *s,
                     struct sca_writer *w)
{
    uint32_t nsections = 0;
    for (uint32_t i = 0; i < s->nmarks; i++)
        nsections += s->marks[i].begins;
    sca_wire_put_varint(w, has_events(s)   ? SCA_SERIES_EVENTS_VERSION
                           : sum->phases.n ? SCA_SERIES_PHASES_VERSION
                                           : SCA_SERIES_VERSION);
    sca_wire_put_varint(w, s->nranks);
    sca_wire_put_varint(w, sum->nranks - s->nranks);
    sca_wire_put_varint(w, s->source);
    sca_wire_put_varint(w, factor_of(s));
    sca_wire_put_varint(w, nsections);
    for (uint32_t i = 0; i < s->nmarks; i++)
        if (s->marks[i].begins) {
            sca_wire_put_varint(w, end_of(s->marks, s->nmarks, i) - i);
            sca_wire_put_varint(w, s->marks[end_of(s->marks, s->nmarks, i)].site);
            sca_wire_put_varint(w, s->marks[i].number);
            sca_wire_put_varint(w, s->marks[i].end_ns >> 10);
        }
}

static void put_loops(struct sca_series_sum *sum, struct sca_series_shape *s, struct figures *all,
                      struct sca_writer *w)
{
    add_off(sum, s);
    put_head(sum, s, w);
    for (uint32_t k = 0; k < s->nranks; k++)
        put_rank(sum, s, k, factor_of(s), w);
    for (uint32_t i = 0; i < s->nmarks; i++)
        if (!s->marks[i].begins)
            fill_point(sum, s, i, &all[i]);
    put_columns(s, all, w);
}

void sca_series_sum_put(struct sca_series_sum *sum, struct sca_writer *w)
{
    struct sca_series_shape *s = best(sum);
    struct figures *all =
        s && s->nmarks > 1 ? sum->map(sum->context, s->nmarks * sizeof *all) : NULL;
    if (all)
        put_loops(sum, s, all, w);
    else if (sum->phases.n)
        put_no_loop(sum, w);
    if (sum->phases.n || (all && has_events(s)))
        put_phases(sum, all ? s : NULL, w);
    if (all && has_events(s))
        put_events(sum, s, w);
}

size_t sca_series_sum_size(const struct sca_series_sum *sum)
{
    enum { NUMBER = 10, POINT = SCA_SERIES_COLUMNS + 1, SECTION = 5, HEAD = 64 };
    const struct sca_series_shape *s = best(sum);
    size_t of_phases = sum->phases.n * SCA_PHASE_BYTES;
    if (!s)
        return sum->phases.n ? HEAD + of_phases : 0;
    size_t values = (size_t)s->nmarks * (POINT + SECTION + 2ul * s->events.nmetrics);
    size_t of_ranks = (size_t)s->nranks * (s->nmarks / factor_of(s) + 2 + SCA_SERIES_MARKS / 64);
    return HEAD + of_phases + NUMBER * (values + s->nmarks + of_ranks);
}
