#include "report/fill_metrics.h"
#include "report/over_runs.h"
#include "report/report_memory.h"
#include "metrics/metric_block.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_AT_ONCE = 1 << 23, /* numbers in working memory: of so many vertices at a time, */
    MOST_TURNS = 16,        /* but all in so many, where each opens the tables of every rank */
    MOST_KEPT = 1 << 22,    /* values of ranks in the report */
    MOST_SORTED = 1 << 24   /* values that are looked at for quantiles */
};

struct metrics {
    struct sca_analysis *c;
    struct sca_metric_catalogue catalogue;
    /* Those of a group that have rows, and where they are in the catalogue. */
    uint32_t nids, ids[SCA_MOST_METRICS], at[SCA_MOST_METRICS];
    double *values[SCA_MOST_METRICS];
    bool *set; /* [metrics of the group x vertices of a block]: which rows of these have anything */
    struct sca_report_metric_row *rows[SCA_MOST_METRICS]; /* [vertices] */
    uint32_t nrows[SCA_MOST_METRICS];
    uint32_t nranks;
    bool *chosen; /* per vertex: what causes name and the heaviest, whose values are always kept */
    size_t kept, sorted;
    double *working; /* [nranks] */
    /* The vertices that may have any of the group, rising, and the row of each in a block. */
    uint32_t *vertices, nvertices, *row_of;
    uint32_t named[SCA_REPORT_NAMED_RANKS], nnamed;
};

static void check(const struct metrics *m, int status)
{
    if (status < 0)
        longjmp(*m->c->space->out_of_memory, 1);
}

static uint32_t index_of(const struct metrics *m, uint32_t id)
{
    for (uint32_t i = 0; i < m->catalogue.n; i++)
        if (m->catalogue.rows[i].id == id)
            return i;
    return UINT32_MAX;
}

static void describe(struct metrics *m, uint32_t i)
{
    const struct scalana_metric *from = &m->catalogue.rows[i];
    struct sca_report *report = m->c->report;
    report->metrics[i] =
        (struct sca_report_metric){.name = sca_report_string(report, from->name),
                                   .title = sca_report_string(report, from->title),
                                   .unit = sca_report_string(report, from->unit),
                                   .meaning = sca_report_string(report, from->meaning),
                                   .absent = sca_report_string(report, from->absent),
                                   .parent = index_of(m, from->parent),
                                   .of = index_of(m, from->of),
                                   .per = index_of(m, from->per),
                                   .scale = from->scale};
}

/* Rounding leaves less than that. */
static bool is_nothing(const double *values, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        if (fabs(values[r]) > 1e-12)
            return false;
    return true;
}

static void shorten(struct metrics *m, const double *values, struct sca_report_metric_row *row)
{
    bool sort = m->sorted + m->nranks <= MOST_SORTED;
    m->sorted += sort ? m->nranks : 0;
    check(m, sca_report_metric_row_shorten(m->c->report, values, m->nranks, m->named, m->nnamed,
                                           sort ? m->working : NULL, row));
}

static void add_row(struct metrics *m, uint32_t i, uint32_t vertex, const double *values)
{
    double *sums = m->c->report->metrics[m->at[i]].by_rank;
    if (is_nothing(values, m->nranks))
        return;
    for (uint32_t r = 0; r < m->nranks; r++)
        sums[r] += values[r];
    struct sca_report_metric_row *row = &m->rows[i][m->nrows[i]++];
    row->vertex = vertex;
    if (m->chosen[vertex] || m->kept + m->nranks <= MOST_KEPT) {
        check(m, sca_report_metric_row_fill(m->c->report, values, m->nranks, row));
        m->kept += row->nvalues;
        return;
    }
    for (uint32_t r = 0; r < m->nranks; r++)
        row->sum += values[r];
    shorten(m, values, row);
}

static void fill_block(struct metrics *m, uint32_t first, uint32_t height, bool listed)
{
    const struct sca_analysis *c = m->c;
    const struct sca_metric_source source = {c->ppg, c->measures[c->last].run, &c->replayed, 0};
    const uint32_t *vertices = m->vertices + first;
    const struct sca_metric_block block = {first,    height, 0,         m->nranks,
                                           m->nids,  m->ids, m->values, listed ? m->row_of : NULL,
                                           vertices, m->set};
    for (uint32_t v = 0; v < height; v++)
        m->row_of[vertices[v]] = v;
    memset(m->set, 0, (size_t)m->nids * height * sizeof *m->set);
    check(m, sca_metric_block_fill(&source, &block));
    for (uint32_t v = 0; v < height; v++)
        for (uint32_t i = 0; i < m->nids; i++)
            if (m->set[(size_t)i * height + v])
                add_row(m, i, vertices[v], m->values[i] + (size_t)v * m->nranks);
    for (uint32_t v = 0; v < height; v++)
        m->row_of[vertices[v]] = SCA_NONE;
}

enum group { OF_REPLAY, OF_CALLS, OF_SAMPLES };

static bool is_of(uint32_t id, enum group group)
{
    if (!sca_metric_block_opens_ranks(id))
        return group == OF_REPLAY;
    return group == (sca_metric_block_of_samples(id) ? OF_SAMPLES : OF_CALLS);
}

static void mark_vertices(const struct metrics *m, enum group group, bool *marked)
{
    const struct sca_ppg_run *run = m->c->measures[m->c->last].run;
    for (uint32_t s = 0; s < run->profile->nsites; s++)
        if (run->site_vertex[s] != SCA_NONE)
            marked[run->site_vertex[s]] = true;
    for (uint32_t n = 0; group == OF_SAMPLES && n < run->profile->nnodes; n++)
        if (run->node_vertex[n] != SCA_NONE)
            marked[run->node_vertex[n]] = true;
}

/* Calls are made at call sites, and samples are taken where call paths end; else all. */
static void list_vertices(struct metrics *m, enum group group, struct sca_workspace *scratch)
{
    uint32_t nv = m->c->ppg->nvertices;
    bool *marked = sca_workspace_alloc(scratch, nv, sizeof *marked);
    m->vertices = sca_workspace_alloc(scratch, nv, sizeof *m->vertices);
    m->row_of = sca_workspace_alloc(scratch, nv, sizeof *m->row_of);
    m->nvertices = 0;
    if (group != OF_REPLAY)
        mark_vertices(m, group, marked);
    for (uint32_t v = 0; v < nv; v++) {
        m->row_of[v] = SCA_NONE;
        if (group == OF_REPLAY || marked[v])
            m->vertices[m->nvertices++] = v;
    }
}

static void choose_group(struct metrics *m, enum group group)
{
    m->nids = 0;
    for (uint32_t i = 0; i < m->catalogue.n; i++) {
        const struct scalana_metric *metric = &m->catalogue.rows[i];
        if (*metric->absent || sca_metric_is_ratio(metric) || !is_of(metric->id, group))
            continue;
        m->at[m->nids] = i;
        m->ids[m->nids++] = metric->id;
    }
}

static uint32_t height_of_blocks(const struct metrics *m, bool opens_ranks)
{
    uint32_t nv = m->nvertices;
    size_t height = MOST_AT_ONCE / ((size_t)m->nids * m->nranks + 1);
    if (opens_ranks && height < nv / MOST_TURNS)
        height = nv / MOST_TURNS;
    return height < 1 ? 1 : height < nv ? (uint32_t)height : nv ? nv : 1;
}

static void hand_over(struct metrics *m)
{
    for (uint32_t i = 0; i < m->nids; i++) {
        struct sca_report_metric *to = &m->c->report->metrics[m->at[i]];
        to->nrows = m->nrows[i];
        to->rows = sca_report_memory_take(m->c, to->nrows, sizeof *to->rows);
        memcpy(to->rows, m->rows[i], to->nrows * sizeof *to->rows);
    }
}

static void fill_group(struct metrics *m, enum group group)
{
    struct sca_workspace scratch = {.out_of_memory = m->c->space->out_of_memory};
    uint32_t nv = m->c->ppg->nvertices;
    choose_group(m, group);
    list_vertices(m, group, &scratch);
    uint32_t height = height_of_blocks(m, group != OF_REPLAY);
    m->working = sca_workspace_alloc(&scratch, m->nranks, sizeof *m->working);
    m->set = sca_workspace_alloc(&scratch, (size_t)m->nids * height, sizeof *m->set);
    for (uint32_t i = 0; i < m->nids; i++) {
        m->values[i] =
            sca_workspace_alloc(&scratch, (size_t)height * m->nranks, sizeof *m->values[i]);
        m->rows[i] = sca_workspace_alloc(&scratch, nv, sizeof *m->rows[i]);
        m->nrows[i] = 0;
        m->c->report->metrics[m->at[i]].by_rank =
            sca_report_memory_take(m->c, m->nranks, sizeof(double));
    }
    for (uint32_t v = 0; v < m->nvertices; v += height)
        fill_block(m, v, m->nvertices - v < height ? m->nvertices - v : height, group != OF_REPLAY);
    hand_over(m);
    sca_workspace_free(&scratch);
}

static void choose_vertices(struct metrics *m)
{
    uint32_t nv = m->c->report->nvertices;
    bool *chosen = sca_report_ranks_choose(m->c->report);
    m->chosen = sca_workspace_alloc(m->c->space, nv, sizeof *m->chosen);
    if (chosen)
        memcpy(m->chosen, chosen, nv * sizeof *chosen);
    check(m, chosen ? SCA_OK : SCA_ENOMEM);
    free(chosen);
}

/* ---- other runs ---- */

/* Those of a run that are not 0. */
static void fill_sums(const struct metrics *m, const double *sums,
                      struct sca_report_metric_run *out)
{
    uint32_t nv = m->c->ppg->nvertices;
    for (uint32_t v = 0; v < nv; v++)
        out->nrows += fabs(sums[v]) > 1e-12;
    out->rows = sca_report_memory_take(m->c, out->nrows, sizeof *out->rows);
    for (uint32_t v = 0, n = 0; v < nv; v++)
        if (fabs(sums[v]) > 1e-12)
            out->rows[n++] = (struct sca_report_metric_sum){v, sums[v]};
}

static void fill_others(struct metrics *m)
{
    struct sca_over_runs o;
    sca_over_runs_load_others(m->c->space, m->c, &m->catalogue, &o);
    for (uint32_t i = 0; i < m->catalogue.n; i++) {
        struct sca_report_metric *to = &m->c->report->metrics[i];
        if (!o.sums[i] || *o.why[i])
            continue;
        to->nothers = o.nruns;
        to->others = sca_report_memory_take(m->c, o.nruns, sizeof *to->others);
        for (uint32_t run = 0; run < o.nruns; run++) {
            to->others[run].run = (uint32_t)(o.runs[run].run - m->c->ppg->runs);
            fill_sums(m, o.sums[i][run], &to->others[run]);
        }
    }
}

void sca_fill_metrics(struct sca_analysis *c)
{
    struct metrics *m = sca_workspace_alloc(c->space, 1, sizeof *m);
    const struct sca_measure *measure = &c->measures[c->last];
    m->c = c;
    m->nranks = measure->nranks;
    m->nnamed = sca_report_metric_ranks(c->report, m->nranks, m->named, SCA_REPORT_NAMED_RANKS);
    sca_metric_catalogue_make(measure->run->profile, &c->replayed, "", &m->catalogue);
    c->report->nmetrics = m->catalogue.n;
    c->report->metrics = sca_report_memory_take(c, m->catalogue.n, sizeof *c->report->metrics);
    for (uint32_t i = 0; i < m->catalogue.n; i++)
        describe(m, i);
    choose_vertices(m);
    fill_group(m, OF_REPLAY);
    fill_group(m, OF_CALLS);
    fill_group(m, OF_SAMPLES);
    fill_others(m);
}
