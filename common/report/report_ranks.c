#include "report/report_ranks.h"

#include <stdlib.h>

enum { MOST_NUMBERS = 250000 };

struct choice {
    const struct sca_report *r;
    bool *chosen;
    size_t numbers;
};

static void choose(struct choice *c, uint32_t vertex)
{
    if (vertex >= c->r->nvertices || c->chosen[vertex])
        return;
    c->chosen[vertex] = true;
    c->numbers += c->r->vertices[vertex].nranks;
}

/* However many there are: these are what a reader asks about. */
static void choose_findings(struct choice *c)
{
    const struct sca_report *r = c->r;
    choose(c, 0);
    for (uint32_t i = 0; i < r->ncauses; i++) {
        const struct sca_report_cause *cause = &r->causes[i];
        choose(c, cause->vertex);
        for (uint32_t k = 0; k < cause->npath; k++)
            choose(c, cause->path[k].vertex);
        for (uint32_t k = 0; k < cause->nsymptoms && k < 3; k++)
            choose(c, cause->symptoms[k].vertex);
    }
}

static double seconds_of(const struct sca_report_vertex *v)
{
    return v->nruns ? v->run_s[v->nruns - 1] : 0;
}

static int by_seconds(const void *a, const void *b, void *report)
{
    const struct sca_report *r = report;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    double p = seconds_of(&r->vertices[x]), q = seconds_of(&r->vertices[y]);
    return p != q ? (p < q ? 1 : -1) : (x > y) - (x < y);
}

bool *sca_report_ranks_choose(const struct sca_report *r)
{
    uint32_t n = r->nvertices, *order = calloc(n + (size_t)1, sizeof *order);
    struct choice c = {.r = r, .chosen = calloc(n + (size_t)1, sizeof *c.chosen)};
    if (order && c.chosen) {
        choose_findings(&c);
        for (uint32_t i = 0; i < n; i++)
            order[i] = i;
        qsort_r(order, n, sizeof *order, by_seconds, (void *)(uintptr_t)r);
        for (uint32_t i = 0; i < n; i++)
            if (c.numbers + r->vertices[order[i]].nranks <= MOST_NUMBERS)
                choose(&c, order[i]);
    }
    if (!order) {
        free(c.chosen);
        c.chosen = NULL;
    }
    free(order);
    return c.chosen;
}
