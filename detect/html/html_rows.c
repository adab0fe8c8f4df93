/* Which vertices get a row where there is no room for all. */
#include "html_parts.h"

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
    c->rows[c->count++] = c->h->place[vertex];
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
            c.rows[i] = h->order[c.rows[i]];
    } else {
        free(c.rows);
        c.rows = NULL;
    }
    free(c.taken);
    *count = c.count;
    return c.rows;
}
