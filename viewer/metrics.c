#include "metrics.h"
#include "sca_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_within(const struct sca_report *r, uint32_t at, uint32_t vertex, bool below)
{
    if (vertex == SCA_NO_VERTEX || at == vertex)
        return true;
    for (; below && r->vertices[at].parent != at; at = r->vertices[at].parent)
        if (r->vertices[at].parent == vertex)
            return true;
    return false;
}

static double sum_of(const struct sca_report *r, uint32_t metric, uint32_t vertex, bool below)
{
    const struct sca_report_metric *m = &r->metrics[metric];
    double sum = 0;
    for (uint32_t i = 0; i < m->nrows; i++)
        if (is_within(r, m->rows[i].vertex, vertex, below))
            sum += m->rows[i].sum;
    return sum;
}

static double divide(const struct sca_report_metric *m, double of, double per)
{
    return per > 0 ? m->scale * of / per : (double)NAN;
}

double sca_metric_sum(const struct sca_report *r, uint32_t metric, uint32_t vertex, bool below)
{
    const struct sca_report_metric *m = &r->metrics[metric];
    if (*m->absent)
        return (double)NAN;
    if (m->of == SCA_NO_METRIC)
        return sum_of(r, metric, vertex, below);
    return divide(m, sum_of(r, m->of, vertex, below), sum_of(r, m->per, vertex, below));
}

/* ---- ranks ---- */

static uint32_t count_ranks(const struct sca_report *r)
{
    return r->nruns ? r->runs[r->nruns - 1].ranks : 0;
}

static bool is_only_root(const struct sca_report *r, uint32_t vertex)
{
    for (uint32_t v = 0; v < r->nvertices; v++)
        if (r->vertices[v].parent == v && v != vertex)
            return false;
    return r->vertices[vertex].parent == vertex;
}

static void add_row(const struct sca_report_metric_row *row, uint32_t nranks, double *values)
{
    for (uint32_t i = 0; row->ranks && i < row->nvalues; i++)
        values[row->ranks[i]] += row->values[i];
    for (uint32_t i = 0; !row->ranks && i < nranks; i++)
        values[i] += sca_report_metric_value(row, i);
}

static uint32_t add_ranks(const struct sca_report *r, uint32_t metric, uint32_t vertex, bool below,
                          double *values)
{
    const struct sca_report_metric *m = &r->metrics[metric];
    uint32_t nranks = count_ranks(r), unknown = 0;
    bool all = vertex == SCA_NO_VERTEX || (below && is_only_root(r, vertex));
    for (uint32_t i = 0; all && m->by_rank && i < nranks; i++)
        values[i] += m->by_rank[i];
    if (all && m->by_rank)
        return 0;
    for (uint32_t i = 0; i < m->nrows; i++) {
        const struct sca_report_metric_row *row = &m->rows[i];
        if (!is_within(r, row->vertex, vertex, below))
            continue;
        unknown += !row->complete;
        if (row->complete)
            add_row(row, nranks, values);
    }
    return unknown;
}

static uint32_t ratio_ranks(const struct sca_report *r, uint32_t metric, uint32_t vertex,
                            bool below, double *values)
{
    const struct sca_report_metric *m = &r->metrics[metric];
    uint32_t nranks = count_ranks(r);
    double *per = calloc(nranks + 1ul, sizeof *per);
    uint32_t unknown = add_ranks(r, m->of, vertex, below, values);
    if (per)
        unknown += add_ranks(r, m->per, vertex, below, per);
    for (uint32_t i = 0; i < nranks; i++)
        values[i] = per ? divide(m, values[i], per[i]) : (double)NAN;
    free(per);
    return unknown;
}

uint32_t sca_metric_ranks(const struct sca_report *r, uint32_t metric, uint32_t vertex, bool below,
                          double *values)
{
    memset(values, 0, count_ranks(r) * sizeof *values);
    if (r->metrics[metric].of != SCA_NO_METRIC)
        return ratio_ranks(r, metric, vertex, below, values);
    return add_ranks(r, metric, vertex, below, values);
}

const char *sca_metric_title(const struct sca_report *r, uint32_t metric)
{
    const struct sca_report_metric *m = &r->metrics[metric];
    return *m->title ? m->title : m->name;
}

/* ---- the chosen one ---- */

/* Each row's sum goes to its vertex and to all around it. */
static void add_table(const struct sca_report *r, uint32_t metric, double *own, double *below)
{
    const struct sca_report_metric *m = &r->metrics[metric];
    for (uint32_t i = 0; i < m->nrows; i++) {
        uint32_t v = m->rows[i].vertex;
        own[v] += m->rows[i].sum;
        below[v] += m->rows[i].sum;
        for (; r->vertices[v].parent != v; v = r->vertices[v].parent)
            below[r->vertices[v].parent] += m->rows[i].sum;
    }
}

static int fill_ratio(struct sca_metric_table *t, const struct sca_report *r)
{
    const struct sca_report_metric *m = &r->metrics[t->metric];
    double *per = calloc(2 * (r->nvertices + 1ul), sizeof *per), *per_below = per + r->nvertices;
    if (!per)
        return sca_fail(SCA_ENOMEM, "out of memory");
    add_table(r, m->of, t->own, t->below);
    add_table(r, m->per, per, per_below);
    for (uint32_t v = 0; v < r->nvertices; v++) {
        t->own[v] = divide(m, t->own[v], per[v]);
        t->below[v] = divide(m, t->below[v], per_below[v]);
    }
    free(per);
    return SCA_OK;
}

static int fill(struct sca_metric_table *t, const struct sca_report *r)
{
    const struct sca_report_metric *m = &r->metrics[t->metric];
    t->own = calloc(r->nvertices + 1ul, sizeof *t->own);
    t->below = calloc(r->nvertices + 1ul, sizeof *t->below);
    t->total = sca_metric_sum(r, t->metric, SCA_NO_VERTEX, true);
    if (!t->own || !t->below)
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (m->of != SCA_NO_METRIC)
        return fill_ratio(t, r);
    add_table(r, t->metric, t->own, t->below);
    for (uint32_t v = 0; *m->absent && v < r->nvertices; v++)
        t->own[v] = t->below[v] = (double)NAN;
    return SCA_OK;
}

int sca_metric_table_choose(struct sca_metric_table *t, const struct sca_report *r, uint32_t metric)
{
    sca_metric_table_close(t);
    t->metric = metric;
    int status = metric == SCA_NO_METRIC ? SCA_OK : fill(t, r);
    if (status != SCA_OK)
        sca_metric_table_close(t);
    return status;
}

void sca_metric_table_close(struct sca_metric_table *t)
{
    free(t->own);
    free(t->below);
    *t = (struct sca_metric_table){.metric = SCA_NO_METRIC};
}
