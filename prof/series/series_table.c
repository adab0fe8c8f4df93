#include "series/series_table.h"

#include <stddef.h>

enum {
    ALTERNATE = 64, /* iterations of another since, */
    REGULAR = 16    /* after so many without any */
};

void sca_series_table_begin(struct sca_series_table *t, struct sca_part_mark *marks,
                            struct sca_mark_events *events, uint32_t *count, uint32_t capacity)
{
    *t = (struct sca_series_table){
        .marks = marks, .events = events, .count = count, .capacity = capacity};
}

static void set_count(struct sca_series_table *t, uint32_t count)
{
    __atomic_store_n(t->count, count, __ATOMIC_RELEASE);
}

static struct sca_series_section *top(struct sca_series_table *t)
{
    return &t->section[t->nsections - 1];
}

static uint32_t end_of(const struct sca_series_table *t, uint32_t section)
{
    return section + 1 < t->nsections ? t->section[section + 1].first : *t->count;
}

static void move(struct sca_series_table *t, uint32_t from, uint32_t to)
{
    if (from == to)
        return;
    t->marks[to] = t->marks[from];
    if (t->events)
        t->events[to] = t->events[from];
}

/* Every second mark of a section goes, and what lies behind it moves up. */
static void thin(struct sca_series_table *t, uint32_t section)
{
    struct sca_series_section *s = &t->section[section];
    uint32_t end = end_of(t, section), count = *t->count, kept = s->first + 1;
    s->stride *= 2;
    set_count(t, kept);
    for (uint32_t i = kept; i < end; i++)
        if (t->marks[i].number % s->stride == 0)
            move(t, i, kept++);
    uint32_t gone = end - kept;
    for (uint32_t i = end; i < count; i++)
        move(t, i, i - gone);
    for (uint32_t i = section + 1; i < t->nsections; i++)
        t->section[i].first -= gone;
    set_count(t, count - gone);
}

static uint32_t largest(const struct sca_series_table *t)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < t->nsections; i++)
        if (end_of(t, i) - t->section[i].first > end_of(t, best) - t->section[best].first)
            best = i;
    return best;
}

static void put(struct sca_series_table *t, const struct sca_part_mark *mark,
                const struct sca_mark_events *events, bool begins)
{
    struct sca_part_mark *at = &t->marks[*t->count];
    if (t->events)
        t->events[*t->count] = events ? *events : (struct sca_mark_events){0};
    *at = *mark;
    at->section = (uint16_t)(t->nsections - 1);
    at->begins = begins;
    set_count(t, *t->count + 1);
}

static void make_room(struct sca_series_table *t)
{
    if (*t->count - top(t)->first > SCA_SERIES_SECTION_MARKS)
        thin(t, t->nsections - 1);
    while (*t->count + 2 > t->capacity)
        thin(t, largest(t));
}

/* The sections from this one on go. */
static void drop_from(struct sca_series_table *t, uint32_t section)
{
    if (section >= t->nsections)
        return;
    set_count(t, t->section[section].first);
    t->nsections = section;
}

/* A section that ends keeps its last iteration, so that none is lost. */
static void close_top(struct sca_series_table *t)
{
    if (t->nsections)
        sca_series_table_end(t);
}

static void open_section(struct sca_series_table *t, uint64_t loop, const struct sca_part_mark *now,
                         const struct sca_mark_events *events)
{
    close_top(t);
    if (t->nsections == SCA_SERIES_SECTIONS)
        drop_from(t, SCA_SERIES_SECTIONS - 1);
    t->section[t->nsections++] =
        (struct sca_series_section){.loop = loop, .first = *t->count, .stride = 1};
    while (*t->count + 2 > t->capacity)
        thin(t, largest(t));
    top(t)->first = *t->count;
    put(t, now, events, true);
}

static uint32_t find(const struct sca_series_table *t, uint64_t loop)
{
    uint32_t i = t->nsections;
    while (i && t->section[i - 1].loop != loop)
        i--;
    return i ? i - 1 : SCA_NONE;
}

/* The loop, which is below the top, has come round again: whether it follows the others. */
static bool alternates(struct sca_series_table *t, uint32_t at)
{
    uint32_t since = 0;
    for (uint32_t i = at + 1; i < t->nsections; i++)
        since += t->section[i].counted;
    const struct sca_series_section *s = &t->section[at];
    return !s->around && s->counted >= REGULAR && since >= ALTERNATE &&
           t->nsections < SCA_SERIES_SECTIONS;
}

static void hold(struct sca_series_table *t, uint32_t at)
{
    if (at + 1 >= t->nsections)
        return;
    t->section[at].around = true;
    drop_from(t, at + 1);
}

/* True: the loop's section is the top one, and has come round in it. */
static bool select_section(struct sca_series_table *t, uint64_t loop,
                           const struct sca_part_mark *now, const struct sca_mark_events *events)
{
    uint32_t at = find(t, loop);
    bool anew = at == SCA_NONE || (at + 1 < t->nsections && alternates(t, at));
    if (anew) {
        open_section(t, loop, now, events);
        return false;
    }
    hold(t, at);
    return true;
}

/* Of another loop than the top one: it is, or the section it belongs to may have any distance. */
bool sca_series_table_keeps(const struct sca_series_table *t, uint64_t loop, uint32_t number)
{
    const struct sca_series_section *s = t->nsections ? &t->section[t->nsections - 1] : NULL;
    return t->marks && (!s || s->loop != loop || number % s->stride == 0);
}

bool sca_series_table_add(struct sca_series_table *t, uint64_t loop,
                          const struct sca_part_mark *now, const struct sca_mark_events *events)
{
    if (!t->marks)
        return false;
    bool round = (t->nsections && top(t)->loop == loop) || select_section(t, loop, now, events);
    t->last = *now;
    if (!round)
        return true;
    struct sca_series_section *s = top(t);
    s->counted++;
    if (now->number % s->stride)
        return false;
    put(t, now, events, false);
    make_room(t);
    return true;
}

void sca_series_table_drop_within(struct sca_series_table *t, bool (*is_within)(uint64_t loop))
{
    while (t->marks && t->nsections && is_within(top(t)->loop))
        drop_from(t, t->nsections - 1);
}

void sca_series_table_drop_since(struct sca_series_table *t, uint64_t end_ns)
{
    while (t->marks && t->nsections && t->marks[top(t)->first].end_ns >= end_ns)
        drop_from(t, t->nsections - 1);
    if (!t->marks || !t->nsections)
        return;
    uint32_t count = *t->count;
    while (t->marks[count - 1].end_ns > end_ns)
        count--;
    set_count(t, count);
    t->last = t->marks[count - 1];
}

void sca_series_table_hold(struct sca_series_table *t, uint64_t loop)
{
    uint32_t at = find(t, loop);
    if (t->marks && at != SCA_NONE)
        hold(t, at);
}

void sca_series_table_end(struct sca_series_table *t)
{
    if (!t->marks || !t->nsections || !*t->count)
        return;
    if (t->marks[*t->count - 1].number == t->last.number)
        return;
    put(t, &t->last, NULL, false);
}
