/* Which of a rank's series is taken, and how it is written for the way. */
#include "profile/series_marks.h"

#include <stddef.h>

enum {
    FEWEST = 4,
    COURSE = 16, /* fewer iterations show no step and no drift */
    FINER = 8,   /* times as many iterations: a loop's, not its stages */
    ALL_VALUES = 1 << 22,
    LEAST_MOST = 64
};

static bool follows(const struct sca_part_mark *before, const struct sca_part_mark *m)
{
    bool times = m->end_ns >= before->end_ns && m->compute_ns >= before->compute_ns &&
                 m->mpi_ns >= before->mpi_ns && m->off_ns >= before->off_ns;
    if (m->begins)
        return times && m->section == before->section + 1;
    return times && m->section == before->section && m->number > before->number;
}

static struct sca_series_marks in_order(const struct sca_part_mark *marks, uint32_t count,
                                        enum sca_series_source source)
{
    struct sca_series_marks out = {.marks = marks, .source = source};
    if (count > SCA_SERIES_MARKS)
        count = SCA_SERIES_MARKS;
    if (count && marks->begins && !marks->section)
        out.n = 1;
    while (out.n && out.n < count && follows(&marks[out.n - 1], &marks[out.n]))
        out.n++;
    return out;
}

/* What the marks of a source cover. */
struct source {
    struct sca_series_marks marks;
    uint64_t ns, iterations; /* ns 0: too few iterations */
};

static struct source source_of(const struct sca_part_mark *marks, uint32_t count,
                               enum sca_series_source source)
{
    struct source s = {in_order(marks, count, source), 0, 0};
    for (uint32_t i = 1; i < s.marks.n; i++)
        if (!s.marks.marks[i].begins) {
            s.ns += s.marks.marks[i].end_ns - s.marks.marks[i - 1].end_ns;
            s.iterations += s.marks.marks[i].number - s.marks.marks[i - 1].number;
        }
    if (s.iterations < FEWEST)
        s.ns = 0;
    return s;
}

/* A loop may call a world collective seldom: its iterations are those of its call paths. */
static bool is_too_coarse(const struct source *s, const struct source *finer, uint64_t least_ns)
{
    return s->marks.source == SCA_SERIES_COLLECTIVE && s->iterations < COURSE &&
           finer->marks.source == SCA_SERIES_PATH && finer->ns >= least_ns &&
           finer->iterations >= FINER * s->iterations;
}

struct sca_series_marks sca_series_choose(const struct sca_part_series *series, const void *first)
{
    struct source all[SCA_SERIES_SOURCES];
    uint64_t most_ns = 0;
    const struct sca_part_mark *marks = first;
    for (int i = 0; marks && i < SCA_SERIES_SOURCES; i++) {
        all[i] = source_of(marks + (size_t)i * SCA_SERIES_MARKS, series->count[i],
                           (enum sca_series_source)i);
        if (all[i].ns > most_ns)
            most_ns = all[i].ns;
    }
    for (int i = 0; most_ns && i < SCA_SERIES_SOURCES; i++)
        if (all[i].ns >= most_ns / 2 && !is_too_coarse(&all[i], &all[SCA_SERIES_PATH], most_ns / 2))
            return all[i].marks;
    return (struct sca_series_marks){0};
}

uint32_t sca_series_most(uint32_t ranks)
{
    uint32_t most = ALL_VALUES / (ranks ? ranks : 1);
    return most < LEAST_MOST ? LEAST_MOST : most > SCA_SERIES_MARKS ? SCA_SERIES_MARKS : most;
}

/* Of marks whose numbers 2^shift divides, first and last of a section always. */
static bool is_kept(const struct sca_series_marks *s, uint32_t i, unsigned shift)
{
    const struct sca_part_mark *m = &s->marks[i];
    bool last = i + 1 == s->n || m[1].begins;
    return m->begins || last || !(m->number & ((1u << shift) - 1));
}

/* Sections of so few iterations are no main loop. */
static struct sca_series_marks without_short(const struct sca_series_marks *own,
                                             struct sca_part_mark *room,
                                             struct sca_mark_events *events)
{
    struct sca_series_marks out = {room, own->events ? events : NULL, 0, own->nmetrics,
                                   own->source};
    uint32_t first = 0;
    for (uint32_t i = 0; i < own->n; i++) {
        if (own->marks[i].begins)
            first = out.n;
        if (own->events)
            events[out.n] = own->events[i];
        room[out.n++] = own->marks[i];
        bool last = i + 1 == own->n || own->marks[i + 1].begins;
        if (last && own->marks[i].number - room[first].number < FEWEST)
            out.n = first;
    }
    return out;
}

static uint32_t kept(const struct sca_series_marks *s, unsigned shift)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += is_kept(s, i, shift);
    return n;
}

uint32_t sca_series_thin(const struct sca_series_marks *own, uint32_t most,
                         struct sca_part_mark *out, struct sca_mark_events *events)
{
    unsigned shift = 0;
    uint32_t n = 0;
    while (shift < 31 && kept(own, shift) > most)
        shift++;
    for (uint32_t i = 0; i < own->n; i++) {
        if (!is_kept(own, i, shift))
            continue;
        if (own->events && events)
            events[n] = own->events[i];
        out[n++] = own->marks[i];
    }
    return n;
}

static void put_mark(struct sca_writer *w, const struct sca_part_mark *m,
                     const struct sca_part_mark *before)
{
    sca_wire_put_varint(w, (m->begins != 0) | (uint64_t)m->phase << 1);
    sca_wire_put_varint(w, m->begins ? m->number : m->number - before->number);
    sca_wire_put_varint(w, m->end_ns - before->end_ns);
    sca_wire_put_varint(w, m->compute_ns - before->compute_ns);
    sca_wire_put_varint(w, m->mpi_ns - before->mpi_ns);
    sca_wire_put_varint(w, m->off_ns - before->off_ns);
    sca_wire_put_u32(w, (uint32_t)m->kind);
    sca_wire_put_varint(w, m->site);
    sca_wire_put_varint(w, m->memory_kb);
}

void sca_series_put(struct sca_writer *w, const struct sca_series_marks *all, uint32_t most,
                    const struct sca_phases *phases)
{
    static struct sca_part_mark room[SCA_SERIES_MARKS];
    static struct sca_mark_events events[SCA_SERIES_MARKS];
    const struct sca_part_mark none = {0}, *before = &none;
    const struct sca_series_marks own = without_short(all, room, events);
    if (!own.n && !phases->n)
        return;
    uint32_t n = sca_series_thin(&own, most, room, events);
    sca_wire_put_varint(w, own.source);
    sca_wire_put_varint(w, n);
    for (uint32_t i = 0; i < n; i++) {
        put_mark(w, &room[i], before);
        before = &room[i];
    }
    sca_mark_events_put(w, own.events, n, own.nmetrics);
    sca_phases_put(w, phases);
}
