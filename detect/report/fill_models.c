#include "report/fill_models.h"
#include "report/report_memory.h"
#include "verdict/projection.h"

#include <stdlib.h>

#define LEAST_WAIT 1e-4 /* share of all waits: what is less is left out of the table */

static void project(struct sca_analysis *c, struct sca_report_nonscalable *n,
                    const struct sca_fit *told, const double *seconds, bool communicates)
{
    static const uint32_t times[] = {2, 8, 64};
    enum { COUNT = sizeof times / sizeof *times };
    struct sca_projection p;
    const struct sca_measure *last = &c->measures[c->last];
    double *rest = sca_workspace_alloc(c->space, c->nwhole, sizeof *rest);
    for (uint32_t i = 0; i < c->nwhole; i++)
        rest[i] = sca_comparable_total(&c->comparable, i) - (communicates ? 0 : seconds[i]);
    if (c->comparable.by_threads ||
        !sca_projection_fit(c->space, c->whole, c->nwhole, seconds, rest, told, &p))
        return;
    n->nprojections = COUNT;
    n->projections = sca_report_memory_take(c, COUNT, sizeof *n->projections);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct sca_report_projection *to = &n->projections[i];
        to->ranks = last->nranks * times[i];
        to->share = sca_projection_share(&p, to->ranks, to->share_ci);
    }
}

double sca_fill_models_work_exponent(const struct sca_analysis *c)
{
    struct sca_fit fit = {0};
    double *x = sca_workspace_alloc(c->space, c->nwhole, sizeof *x);
    double *y = sca_workspace_alloc(c->space, c->nwhole, sizeof *y);
    if (!c->comparable.told)
        return 0;
    for (uint32_t i = 0; i < c->nwhole; i++) {
        x[i] = c->whole[i].nranks;
        y[i] = c->whole[i].run->work;
    }
    sca_fit_loglog(x, y, c->nwhole, 0, &fit);
    return fit.slope;
}

/* Core-seconds per run: of computation with all below, or of an exchange's transfers. */
static double *seconds_of_growth(struct sca_analysis *c, uint32_t vertex)
{
    double *seconds = sca_workspace_alloc(c->space, c->nwhole, sizeof *seconds);
    for (uint32_t i = 0; i < c->nwhole; i++)
        for (uint32_t r = 0; r < c->whole[i].nranks; r++)
            seconds[i] += c->whole[i].inclusive[(size_t)vertex * c->whole[i].nranks + r] *
                          sca_comparable_scale(&c->comparable, i, vertex);
    return seconds;
}

static double *seconds_of_exchange(struct sca_analysis *c, const struct sca_exchange *e)
{
    double *seconds = sca_workspace_alloc(c->space, c->nwhole, sizeof *seconds);
    for (uint32_t i = 0; i < c->nwhole; i++) {
        const double *row = sca_exchange_growth_seconds(c->space, &c->whole[i], e);
        for (uint32_t r = 0; r < c->whole[i].nranks; r++)
            seconds[i] += row[r] * sca_comparable_scale(&c->comparable, i, e->vertex);
    }
    return seconds;
}

static void fill_one(struct sca_analysis *c, uint32_t vertex, const struct sca_fit *fit,
                     const double *seconds, bool communicates, struct sca_report_nonscalable *to)
{
    to->vertex = vertex;
    to->slope = fit->slope;
    to->slope_ci[0] = fit->low;
    to->slope_ci[1] = fit->high;
    to->r2 = fit->r2;
    to->share = seconds[c->nwhole - 1] / c->accounts[c->last].base;
    project(c, to, fit, seconds, communicates);
}

/* Seconds were compared per work: what is told is their own slope. */
static void add_work_exponent(const struct sca_analysis *c, struct sca_report_nonscalable *to)
{
    double exponent = sca_fill_models_work_exponent(c);
    to->slope += exponent;
    to->slope_ci[0] += exponent;
    to->slope_ci[1] += exponent;
    to->expected_slope += exponent;
}

void sca_fill_models(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    uint32_t n = c->growths.count + c->exchanges.count, at = 0;
    report->nnonscalable = n;
    report->nonscalable = sca_report_memory_take(c, n, sizeof *report->nonscalable);
    for (uint32_t i = 0; i < c->growths.count; i++) {
        const struct sca_growth *g = &c->growths.items[i];
        struct sca_report_nonscalable *to = &report->nonscalable[at++];
        fill_one(c, g->vertex, &g->fit, seconds_of_growth(c, g->vertex), false, to);
        to->loss_core_s = g->loss;
        to->expected_slope = g->expected_slope;
        add_work_exponent(c, to);
    }
    for (uint32_t i = 0; i < c->exchanges.count; i++) {
        const struct sca_exchange *e = &c->exchanges.items[i];
        struct sca_report_nonscalable *to = &report->nonscalable[at++];
        fill_one(c, e->vertex, &e->fit, seconds_of_exchange(c, e), true, to);
        to->loss_core_s = (e->after - e->before) * c->measures[c->last].nranks;
    }
}

static int by_wait(const void *a, const void *b)
{
    double x = ((const struct sca_report_wait *)a)->wait_core_s;
    double y = ((const struct sca_report_wait *)b)->wait_core_s;
    return (x < y) - (x > y);
}

void sca_fill_models_waits(struct sca_analysis *c)
{
    const struct sca_costs *costs = &c->costs[c->last];
    uint32_t cells = c->ppg->nvertices * SCA_WAIT_CLASSES, n = 0;
    struct sca_report_wait *all = sca_report_memory_take(c, cells, sizeof *all);
    for (uint32_t i = 0; i < cells; i++) {
        const struct sca_site_wait *w = &costs->sites[i];
        if (w->seconds <= LEAST_WAIT * costs->waits)
            continue;
        all[n++] =
            (struct sca_report_wait){.vertex = i / SCA_WAIT_CLASSES,
                                     .wait_class = sca_wait_state_class_name(i % SCA_WAIT_CLASSES),
                                     .count = w->count,
                                     .wait_core_s = w->seconds,
                                     .direct_core_s = w->direct,
                                     .indirect_core_s = w->indirect};
    }
    sca_workspace_put_in_order(c->space, all, n, sizeof *all, by_wait);
    c->report->nwaits = n;
    c->report->waits = all;
}
