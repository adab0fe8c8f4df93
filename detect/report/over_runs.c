#include "report/over_runs.h"
#include "metrics/metric_values.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

enum { WIDTH = 64 }; /* ranks at a time: of many ranks and contexts all would be gigabytes */

struct loading {
    struct sca_workspace *space;
    const struct sca_analysis *c;
    struct sca_over_runs *out;
    uint32_t n, ids[SCA_MOST_METRICS], rows[SCA_MOST_METRICS]; /* of one run: from the tables */
};

static uint32_t row_of(const struct sca_over_runs *o, uint32_t id)
{
    return (uint32_t)(sca_metric_catalogue_get(o->catalogue, id) - o->catalogue->rows);
}

/* Waits are summed up in every run, all else of a replay in the largest alone. */
static bool is_of_waits(uint32_t id)
{
    return id == SCALANA_METRIC_WAITING || sca_metric_is_of_waits(id);
}

static const char *why_not(const struct scalana_metric *metric)
{
    bool detail =
        metric->id >= SCALANA_METRIC_COMPLETION && metric->id <= SCALANA_METRIC_CRITICAL_IMBALANCE;
    if (*metric->absent)
        return metric->absent;
    return detail ? "replayed in detail only for the largest run" : "";
}

/* ---- one run ---- */

/* The number of a metric in a run of its own counters; SCALANA_NONE: it did not count that. */
static uint32_t id_in(const struct sca_profile *profile, const struct scalana_metric *metric)
{
    if (metric->id < SCALANA_METRIC_COUNTER)
        return metric->id;
    for (uint32_t i = 0; i < profile->nmetrics; i++)
        if (!strcmp(profile->metrics[i], metric->name))
            return SCALANA_METRIC_COUNTER + i;
    return SCALANA_NONE;
}

static void add_waits(const struct loading *l, uint32_t run, uint32_t id, double *sums)
{
    const struct sca_costs *costs = NULL;
    for (uint32_t i = 0; i <= l->c->last; i++)
        if (l->c->measures[i].run == l->out->runs[run].run)
            costs = &l->c->costs[i];
    for (uint32_t v = 0; costs && v < l->c->ppg->nvertices; v++)
        for (uint32_t kind = 0; kind < SCA_WAIT_CLASSES; kind++)
            if (id == SCALANA_METRIC_WAITING || id == sca_metric_of_waits(kind))
                sums[v] += costs->sites[v * SCA_WAIT_CLASSES + kind].seconds;
}

/* Which metrics the tables of the run are asked for. */
static void plan(struct loading *l, uint32_t run)
{
    l->n = 0;
    for (uint32_t i = 0; i < l->out->catalogue->n; i++) {
        const struct scalana_metric *metric = &l->out->catalogue->rows[i];
        if (!l->out->sums[i])
            continue;
        l->out->sums[i][run] = sca_workspace_alloc(l->space, l->c->ppg->nvertices, sizeof(double));
        if (is_of_waits(metric->id)) {
            add_waits(l, run, metric->id, l->out->sums[i][run]);
            continue;
        }
        l->rows[l->n] = i;
        l->ids[l->n] = id_in(l->out->runs[run].run->profile, metric);
        if (l->ids[l->n] == SCALANA_NONE)
            l->out->why[i] = "not counted in all of the runs";
        else
            l->n++;
    }
}

static void add_block(const struct loading *l, uint32_t run, const struct sca_metric_block *block)
{
    for (uint32_t m = 0; m < l->n; m++)
        for (uint32_t v = 0; v < block->height; v++)
            for (uint32_t r = 0; r < block->width; r++)
                l->out->sums[l->rows[m]][run][v] += block->values[m][v * block->width + r];
}

static void read_tables(const struct loading *l, uint32_t run)
{
    const struct sca_ppg_run *of = l->out->runs[run].run;
    const struct sca_metric_source source = {l->c->ppg, of, NULL, 0};
    struct sca_workspace scratch = {.out_of_memory = l->space->out_of_memory};
    uint32_t nv = l->c->ppg->nvertices;
    double *values[SCA_MOST_METRICS];
    for (uint32_t m = 0; m < l->n; m++)
        values[m] = sca_workspace_alloc(&scratch, (size_t)nv * WIDTH, sizeof(double));
    for (uint32_t left = 0; left < of->nranks && l->n; left += WIDTH) {
        uint32_t width = of->nranks - left < WIDTH ? of->nranks - left : WIDTH;
        const struct sca_metric_block block = {0,      nv,     left, width, l->n,
                                               l->ids, values, NULL, NULL,  NULL};
        if (sca_metric_block_fill(&source, &block) < 0)
            longjmp(*l->space->out_of_memory, 1);
        add_block(l, run, &block);
    }
    sca_workspace_free(&scratch);
}

static void add_up(const struct loading *l, uint32_t run)
{
    const struct sca_metric_range whole = {0, l->c->ppg->nvertices, 0, 1};
    for (uint32_t i = 0; i < l->out->catalogue->n; i++)
        if (l->out->sums[i])
            sca_metric_values_add_up(l->c->ppg, &whole, l->out->sums[i][run]);
}

/* ---- all runs ---- */

static bool is_asked(const struct scalana_metric *metric, const struct scalana_metric *only)
{
    return !only || metric->id == only->id || metric->id == only->of || metric->id == only->per ||
           metric->id == SCALANA_METRIC_SAMPLES;
}

static void choose(struct sca_workspace *space, const struct scalana_metric *only,
                   struct sca_over_runs *out)
{
    for (uint32_t i = 0; i < out->catalogue->n; i++) {
        const struct scalana_metric *metric = &out->catalogue->rows[i];
        out->why[i] = why_not(metric);
        if (!*out->why[i] && !sca_metric_is_ratio(metric) && is_asked(metric, only))
            out->sums[i] = sca_workspace_alloc(space, out->nruns, sizeof *out->sums[i]);
    }
}

static void load_own(const struct sca_metric_catalogue *catalogue,
                     const struct scalana_metric *only, struct loading *l)
{
    struct sca_over_runs *out = l->out;
    out->catalogue = catalogue;
    out->runs = l->c->whole;
    out->sums = sca_workspace_alloc(l->space, catalogue->n, sizeof *out->sums);
    choose(l->space, only, out);
    for (uint32_t run = 0; run < out->nruns; run++) {
        plan(l, run);
        read_tables(l, run);
    }
    for (uint32_t i = 0; i < catalogue->n; i++)
        if (sca_metric_is_ratio(&catalogue->rows[i])) {
            const char *of = out->why[row_of(out, catalogue->rows[i].of)];
            out->why[i] = *of ? of : out->why[row_of(out, catalogue->rows[i].per)];
        }
}

void sca_over_runs_load(struct sca_workspace *space, const struct sca_analysis *c,
                        const struct sca_metric_catalogue *catalogue,
                        const struct scalana_metric *only, struct sca_over_runs *out)
{
    struct loading l = {.space = space, .c = c, .out = out};
    *out = (struct sca_over_runs){.nruns = c->nwhole};
    load_own(catalogue, only, &l);
    for (uint32_t run = 0; run < out->nruns; run++)
        add_up(&l, run);
}

void sca_over_runs_load_others(struct sca_workspace *space, const struct sca_analysis *c,
                               const struct sca_metric_catalogue *catalogue,
                               struct sca_over_runs *out)
{
    struct loading l = {.space = space, .c = c, .out = out};
    *out = (struct sca_over_runs){.nruns = c->nwhole - (c->nwhole > 0)};
    load_own(catalogue, NULL, &l);
}

double sca_over_runs_value(const struct sca_over_runs *o, const struct scalana_metric *metric,
                           uint32_t run, uint32_t vertex)
{
    if (!sca_metric_is_ratio(metric))
        return o->sums[row_of(o, metric->id)][run][vertex] / o->runs[run].nranks;
    double of = o->sums[row_of(o, metric->of)][run][vertex];
    double per = o->sums[row_of(o, metric->per)][run][vertex];
    return per > 0 ? of / per * metric->scale : (double)NAN;
}
