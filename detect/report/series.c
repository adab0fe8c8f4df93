#include "report/series.h"
#include "base/shared_cores.h"
#include "report/report_memory.h"
#include "series/loop_series.h"
#include "timeline/efficiency_over_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_spread(double *const *columns, uint32_t i, const struct sca_series_spread *spread)
{
    columns[0][i] = spread->min;
    columns[1][i] = spread->median;
    columns[2][i] = spread->max;
    columns[3][i] = spread->mean;
}

enum { MOST_CONTEXTS = 64 }; /* of a cluster: those that take longest */

struct filling_series {
    struct sca_analysis *c;
    struct sca_recorded recorded;
    bool shared;
    /* Of the loop at hand. */
    struct sca_loop_series loop;
    struct sca_recorded_point *clusters; /* sums of its recorded iterations */
};

static void fill_efficiency(const struct filling_series *f, uint32_t i, double *const *at)
{
    uint32_t point = f->loop.section->first + i;
    const struct sca_part_efficiency e =
        sca_point_efficiency(&f->recorded, point, f->shared, &f->clusters[f->loop.clusters.of[i]]);
    at[SCA_SERIES_RECORDED][i] = f->recorded.points[point].iterations;
    at[SCA_SERIES_EFFICIENCY][i] = e.load_balance;
    at[SCA_SERIES_EFFICIENCY + 1][i] = e.serialisation;
    at[SCA_SERIES_EFFICIENCY + 2][i] = e.transfer;
    at[SCA_SERIES_EFFICIENCY + 3][i] = e.parallel;
}

static void fill_points(const struct filling_series *f, struct sca_report_series_loop *to)
{
    const struct sca_loop_series *from = &f->loop;
    double **at = to->points;
    to->npoints = from->section->npoints;
    for (int k = 0; k < SCA_REPORT_SERIES_COLUMNS; k++)
        at[k] = sca_report_memory_take(f->c, to->npoints, sizeof **at);
    for (uint32_t i = 0; i < to->npoints; i++) {
        const struct sca_series_point *p = &from->points[i];
        at[SCA_SERIES_LAST_ITERATION][i] = (double)p->number;
        at[SCA_SERIES_POINT_ITERATIONS][i] = p->iterations;
        at[SCA_SERIES_BEGIN_S][i] = i ? p[-1].end : from->section->begin;
        at[SCA_SERIES_SPAN_S][i] = p->span;
        put_spread(at + SCA_SERIES_OWN_S, i, &p->own);
        put_spread(at + SCA_SERIES_MPI_S, i, &p->mpi);
        at[SCA_SERIES_OFF_CPU_MEAN_S][i] = p->off_mean;
        at[SCA_SERIES_OFF_CPU_MAX_S][i] = p->off_max;
        at[SCA_SERIES_MEMORY_BYTES][i] = 1024.0 * p->memory_kb;
        at[SCA_SERIES_SLOWEST_RANK][i] = p->slowest;
        at[SCA_SERIES_CLUSTER][i] = from->clusters.of[i];
        at[SCA_SERIES_PHASE][i] = p->phase == SCA_NONE ? -1.0 : p->phase;
        fill_efficiency(f, i, at);
    }
}

static int longest_first(const void *a, const void *b)
{
    const struct sca_report_series_context *x = a, *y = b;
    double time_of_x = x->own_s + x->wait_s, time_of_y = y->own_s + y->wait_s;
    if (time_of_x != time_of_y)
        return time_of_x < time_of_y ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* What a cluster's recorded iterations take where. */
static void fill_contexts(const struct filling_series *f, const struct sca_recorded_point *from,
                          struct sca_report_series_cluster *to)
{
    double n = from->iterations;
    to->contexts = sca_report_memory_take(f->c, from->ncontexts, sizeof *to->contexts);
    for (uint32_t i = 0; i < from->ncontexts; i++) {
        const struct sca_recorded_context *c = &from->contexts[i];
        to->contexts[to->ncontexts++] = (struct sca_report_series_context){
            c->vertex, c->own / n, c->own_max / n, c->wait / n, c->calls / n};
    }
    if (to->ncontexts)
        qsort(to->contexts, to->ncontexts, sizeof *to->contexts, longest_first);
    if (to->ncontexts > MOST_CONTEXTS)
        to->ncontexts = MOST_CONTEXTS;
}

static void fill_events(const struct filling_series *f, const struct sca_series_cluster *from,
                        struct sca_report_series_cluster *to)
{
    const struct sca_profile *profile = f->c->ppg->runs[f->c->last].profile;
    to->nevents = profile->nmetrics;
    to->events = sca_report_memory_take(f->c, to->nevents, sizeof *to->events);
    for (uint32_t i = 0; i < to->nevents; i++) {
        const struct sca_cluster_events *e = &from->events[i];
        to->events[i] =
            (struct sca_report_series_events){sca_report_string(f->c->report, profile->metrics[i]),
                                              (double)e->iterations,
                                              e->mean,
                                              e->max,
                                              e->least,
                                              e->most};
    }
}

static void fill_cluster(const struct filling_series *f, uint32_t i,
                         struct sca_report_series_cluster *to)
{
    const struct sca_series_cluster *k = &f->loop.clusters.cluster[i];
    const struct sca_series_point *p = &f->loop.points[k->first];
    const struct sca_part_efficiency e = sca_cluster_efficiency(k, f->shared, &f->clusters[i]);
    *to = (struct sca_report_series_cluster){.iterations = (double)k->iterations,
                                             .first_iteration =
                                                 (double)(p->number - p->iterations + 1),
                                             .span_s = k->span,
                                             .own_s = k->own,
                                             .own_max_s = k->own_max,
                                             .mpi_s = k->mpi,
                                             .off_cpu_s = k->off,
                                             .load_balance = e.load_balance,
                                             .communication = e.communication,
                                             .parallel = e.parallel,
                                             .serialisation = e.serialisation,
                                             .transfer = e.transfer,
                                             .recorded = e.recorded};
    fill_contexts(f, &f->clusters[i], to);
    fill_events(f, k, to);
}

static void fill_clusters(struct filling_series *f, struct sca_report_series_loop *to)
{
    to->nclusters = f->loop.clusters.n;
    to->clusters = sca_report_memory_take(f->c, to->nclusters, sizeof *to->clusters);
    f->clusters = sca_workspace_alloc(f->c->space, to->nclusters, sizeof *f->clusters);
    for (uint32_t i = 0; i < to->nclusters; i++) {
        f->clusters[i] =
            sca_recorded_sum(f->c->space, &f->recorded, f->loop.section->first,
                             f->loop.section->npoints, f->loop.clusters.of, (uint8_t)i);
        fill_cluster(f, i, &to->clusters[i]);
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

static void fill_loop(struct filling_series *f, uint32_t i, struct sca_report_series_loop *to)
{
    static const char *const sources[] = {"marker", "collective", "path"};
    const struct sca_ppg_run *run = &f->c->ppg->runs[f->c->last];
    sca_loop_series_make(f->c->space, f->recorded.series, i, f->shared, &f->loop);
    uint32_t site = f->loop.section->site;
    to->source = sources[f->loop.section->source];
    to->vertex = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    to->begin_s = f->loop.section->begin;
    to->end_s = sca_loop_series_end(&f->loop);
    to->nrank_points = f->loop.section->nrank_points;
    to->factor = f->loop.section->factor;
    to->own = f->recorded.series->own + f->loop.section->rank_first;
    to->own_stride = f->recorded.series->nrank_points;
    fill_clusters(f, to);
    fill_points(f, to);
    to->nchanges = f->loop.patterns.n;
    to->changes = sca_report_memory_take(f->c, to->nchanges, sizeof *to->changes);
    for (uint32_t k = 0; k < to->nchanges; k++)
        fill_change(f->c, &f->loop.patterns.list[k], &to->changes[k]);
}

static void fill_phase(const struct filling_series *f, uint32_t i,
                       struct sca_report_series_phase *to)
{
    const struct sca_series_phase *p = &f->recorded.series->phases[i];
    const struct sca_part_efficiency e = sca_phase_efficiency(&f->recorded, i, f->shared);
    *to = (struct sca_report_series_phase){.name = sca_report_string(f->c->report, p->name),
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
                                           .parallel = e.parallel,
                                           .serialisation = e.serialisation,
                                           .transfer = e.transfer,
                                           .recorded = e.recorded};
}

void sca_series_fill(struct sca_analysis *c)
{
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    const struct sca_series *from = run->profile->series;
    struct sca_report_series *to = &c->report->series;
    struct filling_series f = {.c = c};
    if (!from)
        return;
    to->nranks = from->nranks;
    to->nleft_out = from->nleft_out;
    to->ranks = from->ranks;
    to->shared_cores = f.shared = sca_may_share_cores(run->profile);
    to->nloops = c->settings->text_only ? 0 : from->nsections;
    to->nphases = from->nphases;
    if (!to->nloops && !to->nphases)
        return;
    sca_recorded_find(c->space, c->ppg, run, c->ends, &f.recorded);
    to->loops = sca_report_memory_take(c, to->nloops, sizeof *to->loops);
    for (uint32_t i = 0; i < to->nloops; i++)
        fill_loop(&f, i, &to->loops[i]);
    to->phases = sca_report_memory_take(c, to->nphases, sizeof *to->phases);
    for (uint32_t i = 0; i < to->nphases; i++)
        fill_phase(&f, i, &to->phases[i]);
}
