#include "measure/interval_matrix.h"

#include <stdlib.h>
#include <string.h>

struct filling {
    struct sca_room *room;
    const struct sca_ppg_run *run;
    struct sca_opened *opened;
    struct sca_interval_matrix *out;
    struct sca_interval *list; /* found so far; `first` counts cells */
    uint32_t n, capacity;
    uint32_t *after; /* per previous site and order of first sight: chains through `next` */
    uint32_t *next;
    size_t noff;
};

static bool is_sound(const struct filling *f, const struct sca_part_interval *x)
{
    return x->previous < f->run->profile->nsites && x->site < f->run->profile->nsites;
}

static uint32_t append(struct filling *f, const struct sca_part_interval *x)
{
    if (f->n == f->capacity) {
        uint32_t more = 2 * f->capacity + 64;
        f->list = sca_room_grow(f->room, f->list, f->n, more, sizeof *f->list);
        f->next = sca_room_grow(f->room, f->next, f->n, more, sizeof *f->next);
        f->capacity = more;
    }
    f->list[f->n] = (struct sca_interval){x->previous, x->site,
                                          sca_gap_number(&f->run->gaps, x->previous, x->site), 0};
    f->next[f->n] = f->after[x->previous];
    f->after[x->previous] = f->n;
    return f->n++;
}

static uint32_t found(struct filling *f, const struct sca_part_interval *x)
{
    uint32_t i = f->after[x->previous];
    while (i != SCA_NONE && f->list[i].site != x->site)
        i = f->next[i];
    return i;
}

static const struct sca_rank *open_rank(struct filling *f, uint32_t rank)
{
    return sca_rank_open(f->opened, rank, SCA_OPEN_INTERVALS);
}

static void count_cells(struct filling *f)
{
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        const struct sca_rank *rank = open_rank(f, r);
        for (uint32_t i = 0; i < rank->nintervals; i++) {
            const struct sca_part_interval *x = &rank->intervals[i];
            if (!is_sound(f, x))
                continue;
            uint32_t at = found(f, x);
            at = at == SCA_NONE ? append(f, x) : at;
            f->list[at].first++;
            f->noff += x->blocked_ns > 0;
        }
    }
}

static int by_calls(const void *a, const void *b)
{
    const struct sca_interval *x = a, *y = b;
    if (x->previous != y->previous)
        return x->previous < y->previous ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

/* In order, with the place of each one's first cell; chains lead to the new places. */
static void put_in_order(struct filling *f)
{
    struct sca_interval_matrix *out = f->out;
    uint64_t cells = 0;
    out->n = f->n;
    out->of = sca_room_grow(f->room, f->list, f->n, f->n + (size_t)1, sizeof *out->of);
    qsort(out->of, f->n, sizeof *out->of, by_calls);
    memset(f->after, 0xff, f->run->profile->nsites * sizeof *f->after);
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t own = out->of[i].first;
        out->of[i].first = (uint32_t)cells;
        cells += own;
        f->next[i] = f->after[out->of[i].previous];
        f->after[out->of[i].previous] = i;
    }
    if (cells >= SCA_NONE || f->noff >= SCA_NONE)
        longjmp(*f->room->out_of_memory, 1);
    out->of[f->n] = (struct sca_interval){SCA_NONE, SCA_NONE, SCA_NONE, (uint32_t)cells};
    f->list = out->of;
}

static void put_cell(struct filling *f, uint32_t place, uint32_t rank,
                     const struct sca_part_interval *x)
{
    struct sca_interval_cell *cell = &f->out->cells[place];
    *cell =
        (struct sca_interval_cell){(double)(x->cpu_ns + x->blocked_ns) * 1e-9, x->count, rank, 0};
    if (!x->blocked_ns)
        return;
    cell->off = (uint32_t)++f->noff;
    f->out->off[cell->off] =
        (struct sca_interval_off){(double)x->blocked_ns * 1e-9, (double)x->max_ns * 1e-9};
}

static void fill_cells(struct filling *f)
{
    uint32_t *filled = sca_room_alloc(f->room, f->n, sizeof *filled);
    f->noff = 0;
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        const struct sca_rank *rank = open_rank(f, r);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (is_sound(f, &rank->intervals[i])) {
                uint32_t at = found(f, &rank->intervals[i]);
                put_cell(f, f->list[at].first + filled[at]++, r, &rank->intervals[i]);
            }
    }
}

void sca_interval_matrix_fill(struct sca_room *room, const struct sca_ppg_run *run,
                              struct sca_interval_matrix *out)
{
    uint32_t nsites = run->profile->nsites;
    struct filling f = {.room = room, .run = run, .out = out};
    f.opened = sca_room_opened(room, run->profile);
    f.after = sca_room_alloc(room, nsites, sizeof *f.after);
    memset(f.after, 0xff, nsites * sizeof *f.after);
    count_cells(&f);
    put_in_order(&f);
    out->cells = sca_room_alloc(room, out->of[out->n].first, sizeof *out->cells);
    out->off = sca_room_alloc(room, f.noff + 1, sizeof *out->off);
    fill_cells(&f);
}

const struct sca_interval_cell *sca_interval_cell(const struct sca_interval_matrix *m,
                                                  uint32_t interval, uint32_t rank)
{
    uint32_t low = m->of[interval].first, high = m->of[interval + 1].first;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->cells[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < m->of[interval + 1].first && m->cells[low].rank == rank;
    return there ? &m->cells[low] : NULL;
}

void sca_interval_add(const struct sca_interval_matrix *m,
                      bool (*has)(const void *context, const struct sca_interval *interval),
                      const void *context, const struct sca_interval_sums *to)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (!has(context, &m->of[i]))
            continue;
        for (const struct sca_interval_cell *x = sca_interval_first(m, i);
             x < sca_interval_end(m, i); x++) {
            if (to->seconds)
                to->seconds[x->rank] += x->seconds;
            if (to->off)
                to->off[x->rank] += sca_interval_off_s(m, x);
            if (to->count)
                to->count[x->rank] += (double)x->count;
        }
    }
}

bool sca_interval_in_marked(const void *marked, const struct sca_interval *interval)
{
    return interval->gap != SCA_NONE && ((const bool *)marked)[interval->gap];
}
