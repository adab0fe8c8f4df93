/*
 * Which vertices of a report are written with the seconds of each rank. All of them while the
 * numbers are few; of large runs those that the findings speak of, then the heaviest, as far as
 * there is room: a report stays some megabytes however many ranks there are.
 */
#include "sca_report.h"

#include <stdlib.h>

enum { MOST_NUMBERS = 250000 };

struct choice {
    const struct sca_report *r;
    bool *chosen;
    const uint32_t *of; /* per vertex: how many numbers it has */
    size_t numbers, most;
};

static void choose(struct choice *c, uint32_t vertex)
{
    if (vertex >= c->r->nvertices || c->chosen[vertex])
        return;
    c->chosen[vertex] = true;
    c->numbers += c->of[vertex];
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

static void choose_heaviest(struct choice *c, uint32_t *order)
{
    uint32_t n = c->r->nvertices;
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_seconds, (void *)(uintptr_t)c->r);
    for (uint32_t i = 0; i < n; i++)
        if (c->numbers + c->of[order[i]] <= c->most)
            choose(c, order[i]);
}

/* Takes `of` over. */
static bool *choose_all(const struct sca_report *r, uint32_t *of, size_t most)
{
    uint32_t *order = calloc(r->nvertices + (size_t)1, sizeof *order);
    struct choice c = {.r = r, .of = of, .most = most};
    c.chosen = order && of ? calloc(r->nvertices + (size_t)1, sizeof *c.chosen) : NULL;
    if (c.chosen) {
        choose_findings(&c);
        choose_heaviest(&c, order);
    }
    free(order);
    free(of);
    return c.chosen;
}

bool *sca_report_ranks_choose(const struct sca_report *r)
{
    uint32_t *of = calloc(r->nvertices + (size_t)1, sizeof *of);
    for (uint32_t v = 0; of && v < r->nvertices; v++)
        of[v] = r->vertices[v].nranks;
    return choose_all(r, of, MOST_NUMBERS);
}

bool *sca_report_ranks_choose_metrics(const struct sca_report *r, size_t most)
{
    uint32_t *of = calloc(r->nvertices + (size_t)1, sizeof *of);
    for (uint32_t i = 0; of && i < r->nmetrics; i++)
        for (uint32_t k = 0; k < r->metrics[i].nrows; k++)
            of[r->metrics[i].rows[k].vertex] += r->metrics[i].rows[k].nvalues;
    return choose_all(r, of, most);
}
