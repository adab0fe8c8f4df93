#include "views/grown.h"
#include "report/fill_models.h"

#include <math.h>
#include <string.h>

/* Events and time of computation should be shared out as the work is. */
bool sca_grown_with_work(uint32_t id)
{
    return id == SCALANA_METRIC_COMPUTATION || id == SCALANA_METRIC_SAMPLES ||
           id == SCALANA_METRIC_SAMPLED_TIME ||
           (id >= SCALANA_METRIC_COUNTER && id < SCALANA_METRIC_RATIO);
}

/* What is counted exactly has none; what is measured differs as ranks do, and by its samples. */
static double noise_of(const struct sca_grown_runs *g, const struct scalana_metric *metric,
                       uint32_t v)
{
    const struct scalana_metric *samples =
        sca_metric_catalogue_get(g->o.catalogue, SCALANA_METRIC_SAMPLES);
    double noise = 0;
    if (!strcmp(metric->unit, "calls") || !strcmp(metric->unit, "bytes") ||
        !strcmp(metric->unit, "messages"))
        return 0;
    for (uint32_t i = 0; i < g->o.nruns; i++) {
        const struct sca_measure *m = &g->o.runs[i];
        double n = sca_over_runs_value(&g->o, samples, i, v) * m->nranks;
        bool sampled = sca_grown_with_work(metric->id) || sca_metric_is_ratio(metric);
        noise = fmax(noise, hypot(m->noise_level, sampled && n > 0 ? 1 / sqrt(n) : 0));
    }
    return noise;
}

/* Of the runs on as many ranks, or threads, as `like`. */
static double mean_value(const struct sca_grown_runs *g, uint32_t like)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->o.nruns; i++)
        if (g->x[i] == g->x[like]) {
            sum += g->y[i];
            n++;
        }
    return sum / n;
}

/* Runs that make different numbers of steps are compared per step. */
static double scale_of(const struct sca_grown_runs *g, const struct scalana_metric *metric,
                       uint32_t run, uint32_t v)
{
    const struct sca_comparable *comparable = &g->c->comparable;
    bool timed = comparable->timed && !sca_metric_is_ratio(metric);
    return timed ? sca_comparable_scale(comparable, run, v) : 1;
}

uint32_t sca_grown_places(const struct sca_grown_runs *g, uint32_t run)
{
    const struct sca_measure *m = &g->o.runs[run];
    return g->c->comparable.by_threads ? m->run->threads : m->nranks;
}

/* All threads of a rank together have as much to do on more of them. */
double sca_grown_ideal(const struct sca_grown_runs *g, const struct scalana_metric *metric)
{
    return sca_grown_with_work(metric->id) ? g->work + g->c->comparable.by_threads : 0;
}

struct sca_grown sca_grown_at(const struct sca_grown_runs *g, const struct scalana_metric *metric,
                              uint32_t v)
{
    struct sca_grown to = {.ideal = sca_grown_ideal(g, metric)};
    uint32_t last = g->o.nruns - 1;
    for (uint32_t i = 0; i < g->o.nruns; i++) {
        double value = sca_over_runs_value(&g->o, metric, i, v);
        g->x[i] = sca_grown_places(g, i);
        g->y[i] = isnan(value) ? 0 : value * scale_of(g, metric, i, v);
    }
    to.fits = sca_fit_loglog(g->x, g->y, g->o.nruns, noise_of(g, metric, v), &to.fit);
    to.fewest = mean_value(g, 0);
    to.most = mean_value(g, last);
    double promised = to.fewest * pow(g->x[last] / g->x[0], to.ideal);
    to.beyond =
        sca_metric_is_ratio(metric) ? (double)NAN : (to.most - promised) * g->o.runs[last].nranks;
    return to;
}

bool sca_grown_certainly(const struct sca_grown *k)
{
    return k->fits && k->fit.low > k->ideal;
}

/* What a rank's work goes with, as the verdict takes it. */
static double ideal_power(const struct sca_analysis *c)
{
    if (c->comparable.told)
        return sca_fill_models_work_exponent(c) - 1;
    return c->growths.mode == SCA_SCALING_WEAK ? 0 : -1;
}

void sca_grown_open(struct sca_workspace *space, const struct sca_analysis *c,
                    const struct sca_metric_catalogue *catalogue, const struct scalana_metric *only,
                    struct sca_grown_runs *out)
{
    *out = (struct sca_grown_runs){.c = c, .work = ideal_power(c)};
    sca_over_runs_load(space, c, catalogue, only, &out->o);
    out->x = sca_workspace_alloc(space, out->o.nruns, sizeof *out->x);
    out->y = sca_workspace_alloc(space, out->o.nruns, sizeof *out->y);
}
