/* Which vertices and ranks are shown where there is no room for all. */
#include "html/html_parts.h"
#include "sca_phrase.h"

#include <stdlib.h>
#include <string.h>

struct choice {
    const struct sca_html *h;
    uint32_t most, count;
    uint32_t *rows;
    bool *taken;
};

static void take(struct choice *c, uint32_t vertex)
{
    if (c->count == c->most || c->taken[vertex])
        return;
    c->taken[vertex] = true;
    c->rows[c->count++] = c->h->outline.place[vertex];
}

static void take_cause(struct choice *c, const struct sca_report_cause *cause)
{
    take(c, cause->vertex);
    for (uint32_t i = 0; i < cause->npath; i++)
        take(c, cause->path[i].vertex);
    for (uint32_t i = 0; i < cause->nsymptoms; i++)
        take(c, cause->symptoms[i].vertex);
}

static void take_all(struct choice *c)
{
    const struct sca_report *r = c->h->r;
    for (uint32_t i = 0; i < r->ncauses && c->count < c->most; i++)
        take_cause(c, &r->causes[i]);
    for (uint32_t i = 0; i < r->npaths; i++)
        for (uint32_t k = 0; k < r->paths[i].nsteps; k++)
            take(c, r->paths[i].steps[k].vertex);
    for (uint32_t i = 0; i < r->nabnormal; i++)
        take(c, r->abnormal[i].vertex);
    for (uint32_t i = 0; i < r->nnonscalable; i++)
        take(c, r->nonscalable[i].vertex);
    for (uint32_t i = 0; i < r->nvertices && c->count < c->most; i++) {
        uint32_t v = c->h->by_time[i];
        if (r->vertices[v].parent != v && c->h->seconds[v] > 0)
            take(c, v);
    }
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t *sca_html_rows(const struct sca_html *h, uint32_t most, uint32_t *count)
{
    struct choice c = {.h = h, .most = most};
    c.rows = calloc(most + 1u, sizeof *c.rows);
    c.taken = calloc(h->r->nvertices + 1u, sizeof *c.taken);
    if (c.rows && c.taken) {
        take_all(&c);
        qsort(c.rows, c.count, sizeof *c.rows, by_place);
        for (uint32_t i = 0; i < c.count; i++)
            c.rows[i] = h->outline.order[c.rows[i]];
    } else {
        free(c.rows);
        c.rows = NULL;
    }
    free(c.taken);
    *count = c.count;
    return c.rows;
}

static uint32_t add_rank(uint32_t *ranks, uint32_t n, uint32_t most, uint32_t rank)
{
    for (uint32_t i = 0; i < n; i++)
        if (ranks[i] == rank)
            return n;
    if (n < most)
        ranks[n++] = rank;
    return n;
}

static uint32_t add_path(const struct sca_report_cause *c, uint32_t *ranks, uint32_t n,
                         uint32_t most)
{
    for (uint32_t k = 0; k < c->npath; k++)
        n = add_rank(ranks, n, most / 2, c->path[k].rank);
    for (uint32_t k = 0; k < c->nranks && k < 4; k++)
        n = add_rank(ranks, n, most, c->ranks[k]);
    return n;
}

uint32_t sca_html_some_ranks(const struct sca_html *h, uint32_t npaths, uint32_t most,
                             uint32_t *ranks)
{
    uint32_t n = 0, all = h->nranks;
    for (uint32_t i = 0; i < npaths && all > most; i++)
        n = add_path(&h->r->causes[i], ranks, n, most);
    for (uint32_t i = 0; i < h->r->npaths && all > most; i++)
        for (uint32_t k = 0; k < h->r->paths[i].nsteps; k++)
            n = add_rank(ranks, n, most - most / 4, h->r->paths[i].steps[k].rank);
    for (uint32_t i = 0; i < most && (i < all || all > most); i++)
        n = add_rank(ranks, n, most, all > most ? (uint32_t)((uint64_t)i * all / most) : i);
    qsort(ranks, n, sizeof *ranks, by_place);
    return n;
}

enum { MOST_PLACE = 24, MOST_WHAT = 19 };

void sca_html_row_name(const struct sca_html *h, const struct sca_report_vertex *v)
{
    char text[SCA_PHRASE];
    sca_html_short(h, sca_html_place(text, v), MOST_PLACE);
    fputs("\xc2\xa0 ", h->out);
    sca_html_short(h, sca_html_what(text, v), MOST_WHAT);
}

static size_t at_most(size_t length, size_t most)
{
    return length < most ? length : most;
}

uint32_t sca_html_row_room(const struct sca_html *h, const uint32_t *rows, uint32_t n)
{
    char text[SCA_PHRASE];
    size_t longest = 8;
    for (uint32_t i = 0; i < n; i++) {
        const struct sca_report_vertex *v = &h->r->vertices[rows[i]];
        size_t place = at_most(strlen(sca_html_place(text, v)), MOST_PLACE);
        size_t length = place + 2 + at_most(strlen(sca_html_what(text, v)), MOST_WHAT);
        longest = length > longest ? length : longest;
    }
    return (uint32_t)(longest * 68 / 10 + 10); /* a letter of 12 px is under 6.8 px wide */
}
