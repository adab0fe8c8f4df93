#include "report/series.h"
#include "base/shared_cores.h"
#include "report/report_memory.h"
#include "series/loop_series.h"

#include <math.h>
#include <string.h>

static void put_spread(double *const *columns, uint32_t i, const struct sca_series_spread *spread)
{
    columns[0][i] = spread->min;
    columns[1][i] = spread->median;
    columns[2][i] = spread->max;
    columns[3][i] = spread->mean;
}

static void fill_points(struct sca_analysis *c, const struct sca_loop_series *from,
                        struct sca_report_series_loop *to)
{
    double **at = to->points;
    to->npoints = from->section->npoints;
    for (int k = 0; k < SCA_REPORT_SERIES_COLUMNS; k++)
        at[k] = sca_report_memory_take(c, to->npoints, sizeof **at);
    for (uint32_t i = 0; i < to->npoints; i++) {
        const struct sca_series_point *p = &from->points[i];
        at[SCA_SERIES_LAST_ITERATION][i] = (double)p->number;
        at[SCA_SERIES_POINT_ITERATIONS][i] = p->iterations;
        at[SCA_SERIES_BEGIN_S][i] = p->end - p->span;
        at[SCA_SERIES_SPAN_S][i] = p->span;
        put_spread(at + SCA_SERIES_OWN_S, i, &p->own);
        put_spread(at + SCA_SERIES_MPI_S, i, &p->mpi);
        at[SCA_SERIES_OFF_CPU_MEAN_S][i] = p->off_mean;
        at[SCA_SERIES_OFF_CPU_MAX_S][i] = p->off_max;
        at[SCA_SERIES_MEMORY_BYTES][i] = 1024.0 * p->memory_kb;
        at[SCA_SERIES_SLOWEST_RANK][i] = p->slowest;
        at[SCA_SERIES_CLUSTER][i] = from->clusters.of[i];
        at[SCA_SERIES_PHASE][i] = p->phase == SCA_NONE ? -1.0 : p->phase;
    }
}

static void fill_clusters(struct sca_analysis *c, const struct sca_loop_series *from,
                          struct sca_report_series_loop *to)
{
    to->nclusters = from->clusters.n;
    to->clusters = sca_report_memory_take(c, to->nclusters, sizeof *to->clusters);
    for (uint32_t i = 0; i < to->nclusters; i++) {
        const struct sca_series_cluster *k = &from->clusters.cluster[i];
        const struct sca_series_point *p = &from->points[k->first];
        const struct sca_series_efficiency e =
            sca_series_efficiency_of(k->own, k->own_max, k->span, from->shared);
        to->clusters[i] = (struct sca_report_series_cluster){
            .iterations = (double)k->iterations,
            .first_iteration = (double)(p->number - p->iterations + 1),
            .span_s = k->span,
            .own_s = k->own,
            .own_max_s = k->own_max,
            .mpi_s = k->mpi,
            .off_cpu_s = k->off,
            .load_balance = e.load_balance,
            .communication = e.communication,
            .parallel = e.parallel};
    }
}

static void fill_change(struct sca_analysis *c, const struct sca_pattern *p,
                        struct sca_report_series_change *to)
{
    static const char *const names[] = {"step", "drift", "period", "warm_up", "rotates"};
    char words[SCA_PATTERN_WORDS];
    *to = (struct sca_report_series_change){
        .change = names[p->kind],
        .acts = sca_report_string(c->report, sca_pattern_acts(p, words)),
        .first_iteration = (double)p->first,
        .last_iteration = p->kind == SCA_PATTERN_STEP ? (double)NAN : (double)p->last,
        .period = p->period ? p->period : (double)NAN,
        .at_s = p->at,
        .ratio = p->ratio,
        .nranks = p->nranks,
        .ranks = sca_report_memory_take(c, p->nranks, sizeof *to->ranks)};
    if (p->nranks)
        memcpy(to->ranks, p->ranks, p->nranks * sizeof *to->ranks);
}

static void fill_loop(struct sca_analysis *c, const struct sca_series *series, uint32_t i,
                      struct sca_report_series_loop *to)
{
    static const char *const sources[] = {"marker", "collective", "path"};
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    struct sca_loop_series from;
    sca_loop_series_make(c->space, series, i, c->report->series.shared_cores, &from);
    uint32_t site = from.section->site;
    to->source = sources[from.section->source];
    to->vertex = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    to->begin_s = from.section->begin;
    to->end_s = sca_loop_series_end(&from);
    fill_points(c, &from, to);
    fill_clusters(c, &from, to);
    to->nchanges = from.patterns.n;
    to->changes = sca_report_memory_take(c, to->nchanges, sizeof *to->changes);
    for (uint32_t k = 0; k < to->nchanges; k++)
        fill_change(c, &from.patterns.list[k], &to->changes[k]);
}

static void fill_phase(struct sca_analysis *c, const struct sca_series_phase *p,
                       struct sca_report_series_phase *to)
{
    const struct sca_series_efficiency e =
        sca_series_efficiency_of(p->own.mean, p->own.max, p->span, c->report->series.shared_cores);
    *to = (struct sca_report_series_phase){.name = sca_report_string(c->report, p->name),
                                           .parent = p->parent,
                                           .nranks = p->nranks,
                                           .slowest_rank = p->slowest,
                                           .count = (double)p->count,
                                           .begin_s = p->begin,
                                           .end_s = p->end,
                                           .span_s = p->span,
                                           .own_mean_s = p->own.mean,
                                           .own_max_s = p->own.max,
                                           .mpi_mean_s = p->mpi.mean,
                                           .off_cpu_mean_s = p->off_mean,
                                           .load_balance = e.load_balance,
                                           .communication = e.communication,
                                           .parallel = e.parallel};
}

void sca_series_fill(struct sca_analysis *c)
{
    const struct sca_profile *profile = c->ppg->runs[c->last].profile;
    const struct sca_series *from = profile->series;
    struct sca_report_series *to = &c->report->series;
    if (!from)
        return;
    to->nranks = from->nranks;
    to->nleft_out = from->nleft_out;
    to->shared_cores = sca_may_share_cores(profile);
    to->nloops = c->settings->text_only ? 0 : from->nsections;
    to->loops = sca_report_memory_take(c, to->nloops, sizeof *to->loops);
    for (uint32_t i = 0; i < to->nloops; i++)
        fill_loop(c, from, i, &to->loops[i]);
    to->nphases = from->nphases;
    to->phases = sca_report_memory_take(c, to->nphases, sizeof *to->phases);
    for (uint32_t i = 0; i < to->nphases; i++)
        fill_phase(c, &from->phases[i], &to->phases[i]);
}
