#include "sca_contention.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* What is listed has a key; lists are short: as many as hand-overs have ends. */
struct entry {
    uint32_t first, second; /* rank and thread; or a vertex and 0 */
    double waited_s, kept_s;
};

struct entries {
    uint32_t n;
    struct entry *of;
};

static struct entry *entry_of(struct entries *all, uint32_t first, uint32_t second)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (all->of[i].first == first && all->of[i].second == second)
            return &all->of[i];
    all->of[all->n] = (struct entry){first, second, 0, 0};
    return &all->of[all->n++];
}

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* The first ones to be listed have the longest waits. Then in the order of their keys. */
static uint32_t choose(struct entries *all, uint32_t most)
{
    uint32_t left_out = all->n > most ? all->n - most : 0;
    all->n -= left_out;
    if (all->n)
        qsort(all->of, all->n, sizeof *all->of, by_key);
    return left_out;
}

static bool is_listed(const struct entries *all, uint32_t first, uint32_t second, uint32_t *at)
{
    const struct entry wanted = {.first = first, .second = second}, *found;
    found = all->n ? bsearch(&wanted, all->of, all->n, sizeof wanted, by_key) : NULL;
    *at = found ? (uint32_t)(found - all->of) : 0;
    return found != NULL;
}

/* The first vertex of its line that a hand-over names. */
static uint32_t place_of(const struct sca_report *r, uint32_t vertex)
{
    const struct sca_report_contention *c = &r->contention;
    const struct sca_report_vertex *v = &r->vertices[vertex];
    uint32_t first = vertex;
    for (uint32_t i = 0; i < 2 * c->nhand_overs; i++) {
        const struct sca_report_hand_over *h = &c->hand_overs[i / 2];
        uint32_t other = i % 2 ? h->to : h->from;
        const struct sca_report_vertex *o = &r->vertices[other];
        if (other < first && v->line && o->line == v->line && !strcmp(o->file, v->file) &&
            !strcmp(o->name, v->name))
            first = other;
    }
    return first;
}

struct making {
    const struct sca_report *report;
    uint32_t *from, *to; /* per hand-over: its places' vertices */
    struct entries threads, places;
    struct sca_contention_grid *out;
};

static void collect(struct making *m)
{
    const struct sca_report_contention *c = &m->report->contention;
    for (uint32_t i = 0; i < c->nhand_overs; i++) {
        const struct sca_report_hand_over *h = &c->hand_overs[i];
        m->from[i] = place_of(m->report, h->from);
        m->to[i] = place_of(m->report, h->to);
        entry_of(&m->threads, h->rank, h->from_thread)->kept_s += h->seconds;
        entry_of(&m->threads, h->rank, h->to_thread)->waited_s += h->seconds;
        entry_of(&m->places, m->from[i], 0)->kept_s += h->seconds;
        entry_of(&m->places, m->to[i], 0)->waited_s += h->seconds;
    }
}

static void add_link(struct sca_contention_grid *out, const struct sca_contention_link *link)
{
    for (uint32_t i = 0; i < out->nlinks; i++) {
        struct sca_contention_link *l = &out->links[i];
        if (l->from_thread == link->from_thread && l->to_thread == link->to_thread &&
            l->from_place == link->from_place && l->to_place == link->to_place) {
            l->count += link->count;
            l->seconds += link->seconds;
            l->lock = l->lock == link->lock ? l->lock : 0;
            return;
        }
    }
    out->links[out->nlinks++] = *link;
}

static int by_length(const void *a, const void *b)
{
    const struct sca_contention_link *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void list_links(struct making *m)
{
    const struct sca_report_contention *c = &m->report->contention;
    struct sca_contention_grid *out = m->out;
    for (uint32_t i = 0; i < c->nhand_overs; i++) {
        const struct sca_report_hand_over *h = &c->hand_overs[i];
        struct sca_contention_link link = {
            .count = h->count, .seconds = h->seconds, .lock = h->lock};
        if (is_listed(&m->threads, h->rank, h->from_thread, &link.from_thread) &&
            is_listed(&m->threads, h->rank, h->to_thread, &link.to_thread) &&
            is_listed(&m->places, m->from[i], 0, &link.from_place) &&
            is_listed(&m->places, m->to[i], 0, &link.to_place)) {
            add_link(out, &link);
            out->seconds += h->seconds;
        }
    }
    if (out->nlinks)
        qsort(out->links, out->nlinks, sizeof *out->links, by_length);
}

static void list_ends(struct making *m)
{
    struct sca_contention_grid *out = m->out;
    for (; out->nthreads < m->threads.n; out->nthreads++) {
        const struct entry *e = &m->threads.of[out->nthreads];
        out->threads[out->nthreads] =
            (struct sca_contention_thread){e->first, e->second, e->waited_s, e->kept_s};
    }
    for (; out->nplaces < m->places.n; out->nplaces++) {
        const struct entry *e = &m->places.of[out->nplaces];
        out->places[out->nplaces] = (struct sca_contention_place){e->first, e->waited_s, e->kept_s};
    }
}

static bool take_memory(struct making *m, size_t n)
{
    m->from = calloc(n + 1, sizeof *m->from);
    m->to = calloc(n + 1, sizeof *m->to);
    m->threads.of = calloc(2 * n + 1, sizeof *m->threads.of);
    m->places.of = calloc(2 * n + 1, sizeof *m->places.of);
    m->out->threads = calloc(2 * n + 1, sizeof *m->out->threads);
    m->out->places = calloc(2 * n + 1, sizeof *m->out->places);
    m->out->links = calloc(n + 1, sizeof *m->out->links);
    return m->from && m->to && m->threads.of && m->places.of && m->out->threads && m->out->places &&
           m->out->links;
}

int sca_contention_grid_make(const struct sca_report *report, uint32_t most_threads,
                             uint32_t most_places, struct sca_contention_grid *out)
{
    struct making m = {.report = report, .out = out};
    *out = (struct sca_contention_grid){0};
    bool good = take_memory(&m, report->contention.nhand_overs);
    if (good) {
        collect(&m);
        out->threads_left_out = choose(&m.threads, most_threads);
        out->places_left_out = choose(&m.places, most_places);
        list_ends(&m);
        list_links(&m);
    }
    free(m.from);
    free(m.to);
    free(m.threads.of);
    free(m.places.of);
    if (good)
        return SCA_OK;
    sca_contention_grid_free(out);
    return sca_fail(SCA_ENOMEM, "out of memory");
}

void sca_contention_grid_free(struct sca_contention_grid *grid)
{
    free(grid->threads);
    free(grid->places);
    free(grid->links);
    *grid = (struct sca_contention_grid){0};
}
