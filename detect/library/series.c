/* Series of runs: loops, their points, ranks, clusters, what changes; phases that have names. */
#include "scalana/series.h"
#include "library/arguments.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "library/series_made.h"
#include "sca_error.h"
#include "timeline/efficiency_over_time.h"

#include <math.h>

struct looking_at {
    const struct sca_ppg_run *run;
    const struct sca_made_series *all;
    const struct sca_made_loop *loop;
};

static int look(const scalana_runs *runs, uint32_t run, struct looking_at *out)
{
    int status = sca_series_made(runs, run, &out->all);
    return status == SCA_OK ? sca_run_metrics_take_run(runs, run, &out->run) : status;
}

static int look_at_loop(const scalana_runs *runs, uint32_t run, uint32_t loop,
                        struct looking_at *out)
{
    int status = look(runs, run, out);
    if (status == SCA_OK)
        status = sca_arguments_index(loop, out->all->nloops, "loop");
    if (status == SCA_OK)
        out->loop = &out->all->loops[loop];
    return status;
}

static uint32_t context_of(const struct sca_ppg_run *run, uint32_t site)
{
    uint32_t context = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    return context == SCA_NONE ? SCALANA_NONE : context;
}

static void fill_loop(const void *source, uint32_t i, void *row)
{
    const struct looking_at *at = source;
    const struct sca_loop_series *l = &at->all->loops[i].of;
    *(struct scalana_series_loop *)row =
        (struct scalana_series_loop){.source = l->section->source,
                                     .context = context_of(at->run, l->section->site),
                                     .before = l->section->before,
                                     .begin_s = l->section->begin,
                                     .end_s = sca_loop_series_end(l),
                                     .npoints = l->section->npoints,
                                     .nrank_points = l->section->nrank_points * l->series->nranks,
                                     .nclusters = l->clusters.n,
                                     .npatterns = l->patterns.n,
                                     .nranks = l->series->nranks,
                                     .nleft_out = l->series->nleft_out,
                                     .shared_cores = l->shared};
}

int scalana_run_series(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                       struct scalana_series_loop *out, size_t size)
{
    struct looking_at at;
    int status = look(runs, run, &at);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"loops", at.all->nloops, sizeof *out, fill_loop, &at};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_point(const void *source, uint32_t i, void *row)
{
    const struct looking_at *at = source;
    const struct sca_loop_series *l = &at->loop->of;
    const struct sca_series_point *p = &l->points[i];
    uint32_t point = l->section->first + i;
    const struct sca_part_efficiency e = sca_point_efficiency(
        &at->all->recorded, point, l->shared, &at->loop->recorded[l->clusters.of[i]]);
    *(struct scalana_series_point *)row =
        (struct scalana_series_point){.first_iteration = p->number - p->iterations + 1,
                                      .last_iteration = p->number,
                                      .kind = p->kind,
                                      .cluster = l->clusters.of[i],
                                      .phase = p->phase == SCA_NONE ? SCALANA_NONE : p->phase,
                                      .slowest_rank = p->slowest,
                                      .begin_s = p->end - p->span,
                                      .span_s = p->span,
                                      .own_min_s = p->own.min,
                                      .own_median_s = p->own.median,
                                      .own_max_s = p->own.max,
                                      .own_mean_s = p->own.mean,
                                      .own_deviation_s = p->deviation,
                                      .mpi_min_s = p->mpi.min,
                                      .mpi_median_s = p->mpi.median,
                                      .mpi_max_s = p->mpi.max,
                                      .mpi_mean_s = p->mpi.mean,
                                      .off_cpu_mean_s = p->off_mean,
                                      .off_cpu_max_s = p->off_max,
                                      .memory_bytes = 1024.0 * p->memory_kb,
                                      .load_balance = e.load_balance,
                                      .communication_efficiency = e.communication,
                                      .parallel_efficiency = e.parallel,
                                      .serialisation = e.serialisation,
                                      .transfer_efficiency = e.transfer,
                                      .recorded = at->all->recorded.points[point].iterations};
}

int scalana_series_points(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                          uint32_t count, struct scalana_series_point *out, size_t size)
{
    struct looking_at at;
    int status = look_at_loop(runs, run, loop, &at);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"points", at.loop->of.section->npoints, sizeof *out, fill_point,
                               &at};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_rank(const void *source, uint32_t i, void *row)
{
    const struct sca_loop_series *l = &((const struct looking_at *)source)->loop->of;
    const struct sca_series_section *s = l->section;
    uint32_t k = i / s->nrank_points, n = i % s->nrank_points, first = n * s->factor;
    uint32_t last = first + s->factor < s->npoints ? first + s->factor - 1 : s->npoints - 1;
    *(struct scalana_series_rank *)row = (struct scalana_series_rank){
        .rank = l->series->ranks[k],
        .first_iteration = l->points[first].number - l->points[first].iterations + 1,
        .last_iteration = l->points[last].number,
        .own_s = l->series->own[(size_t)k * l->series->nrank_points + s->rank_first + n]};
}

int scalana_series_ranks(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                         uint32_t count, struct scalana_series_rank *out, size_t size)
{
    struct looking_at at;
    int status = look_at_loop(runs, run, loop, &at);
    if (status != SCA_OK)
        return status;
    uint32_t n = at.loop->of.section->nrank_points * at.loop->of.series->nranks;
    struct sca_listing rows = {"points of ranks", n, sizeof *out, fill_rank, &at};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_cluster(const void *source, uint32_t i, void *row)
{
    const struct sca_made_loop *made = ((const struct looking_at *)source)->loop;
    const struct sca_loop_series *l = &made->of;
    const struct sca_series_cluster *c = &l->clusters.cluster[i];
    const struct sca_series_point *p = &l->points[c->first];
    const struct sca_part_efficiency e = sca_cluster_efficiency(c, l->shared, &made->recorded[i]);
    *(struct scalana_series_cluster *)row = (struct scalana_series_cluster){
        .iterations = c->iterations,
        .first_iteration = p->number - p->iterations + 1,
        .span_s = c->span,
        .own_s = c->own,
        .own_max_s = c->own_max,
        .mpi_s = c->mpi,
        .off_cpu_s = c->off,
        .load_balance = e.load_balance,
        .communication_efficiency = e.communication,
        .parallel_efficiency = e.parallel,
        .serialisation = e.serialisation,
        .transfer_efficiency = e.transfer,
        .recorded = e.recorded,
        .ncontexts = made->recorded[i].ncontexts,
        .nevents = ((const struct looking_at *)source)->run->profile->nmetrics};
}

int scalana_series_clusters(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                            uint32_t count, struct scalana_series_cluster *out, size_t size)
{
    struct looking_at at;
    int status = look_at_loop(runs, run, loop, &at);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"clusters", at.loop->of.clusters.n, sizeof *out, fill_cluster, &at};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_context(const void *source, uint32_t i, void *row)
{
    const struct sca_recorded_point *of = source;
    const struct sca_recorded_context *c = &of->contexts[i];
    *(struct scalana_series_context *)row =
        (struct scalana_series_context){.context = c->vertex,
                                        .own_s = c->own / of->iterations,
                                        .own_max_s = c->own_max / of->iterations,
                                        .wait_s = c->wait / of->iterations,
                                        .calls = c->calls / of->iterations};
}

int scalana_series_contexts(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t cluster,
                            uint32_t first, uint32_t count, struct scalana_series_context *out,
                            size_t size)
{
    struct looking_at at;
    int status = look_at_loop(runs, run, loop, &at);
    if (status == SCA_OK)
        status = sca_arguments_index(cluster, at.loop->of.clusters.n, "cluster");
    if (status != SCA_OK)
        return status;
    const struct sca_recorded_point *of = &at.loop->recorded[cluster];
    struct sca_listing rows = {"contexts", of->ncontexts, sizeof *out, fill_context, of};
    return sca_rows_copy(&rows, first, count, out, size);
}

struct events_at {
    const struct sca_profile *profile;
    const struct sca_series_cluster *of;
};

static void fill_events(const void *source, uint32_t i, void *row)
{
    const struct events_at *at = source;
    const struct sca_cluster_events *e = &at->of->events[i];
    *(struct scalana_series_event *)row =
        (struct scalana_series_event){.event = at->profile->metrics[i],
                                      .iterations = (double)e->iterations,
                                      .mean = e->mean,
                                      .max = e->max,
                                      .least = e->least,
                                      .most = e->most};
}

int scalana_series_events(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t cluster,
                          uint32_t first, uint32_t count, struct scalana_series_event *out,
                          size_t size)
{
    struct looking_at at;
    int status = look_at_loop(runs, run, loop, &at);
    if (status == SCA_OK)
        status = sca_arguments_index(cluster, at.loop->of.clusters.n, "cluster");
    if (status != SCA_OK)
        return status;
    const struct events_at of = {at.run->profile, &at.loop->of.clusters.cluster[cluster]};
    struct sca_listing rows = {"events", of.profile->nmetrics, sizeof *out, fill_events, &of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_pattern(const void *source, uint32_t i, void *row)
{
    const struct sca_made_loop *l = ((const struct looking_at *)source)->loop;
    const struct sca_pattern *p = &l->of.patterns.list[i];
    *(struct scalana_series_pattern *)row =
        (struct scalana_series_pattern){.change = p->kind,
                                        .nranks = p->nranks,
                                        .ranks = p->ranks,
                                        .first_iteration = p->first,
                                        .last_iteration = p->last,
                                        .within = p->within,
                                        .period = p->period,
                                        .at_s = p->at,
                                        .ratio = p->ratio,
                                        .begin_s = p->begin,
                                        .end_s = p->end,
                                        .acts = l->acts[i]};
}

int scalana_series_patterns(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                            uint32_t count, struct scalana_series_pattern *out, size_t size)
{
    struct looking_at at;
    int status = look_at_loop(runs, run, loop, &at);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"patterns", at.loop->of.patterns.n, sizeof *out, fill_pattern, &at};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_phase(const void *source, uint32_t i, void *row)
{
    const struct looking_at *at = source;
    const struct sca_series_phase *p = &at->run->profile->series->phases[i];
    const struct sca_part_efficiency e =
        sca_phase_efficiency(&at->all->recorded, i, at->all->shared);
    *(struct scalana_phase *)row =
        (struct scalana_phase){.name = p->name,
                               .parent = p->parent == SCA_NONE ? SCALANA_NONE : p->parent,
                               .nranks = p->nranks,
                               .count = p->count,
                               .begin_s = p->begin,
                               .end_s = p->end,
                               .span_s = p->span,
                               .own_min_s = p->own.min,
                               .own_median_s = p->own.median,
                               .own_max_s = p->own.max,
                               .own_mean_s = p->own.mean,
                               .mpi_min_s = p->mpi.min,
                               .mpi_median_s = p->mpi.median,
                               .mpi_max_s = p->mpi.max,
                               .mpi_mean_s = p->mpi.mean,
                               .off_cpu_mean_s = p->off_mean,
                               .slowest_rank = p->slowest,
                               .load_balance = e.load_balance,
                               .communication_efficiency = e.communication,
                               .parallel_efficiency = e.parallel,
                               .serialisation = e.serialisation,
                               .transfer_efficiency = e.transfer,
                               .recorded = e.recorded};
}

int scalana_run_phases(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                       struct scalana_phase *out, size_t size)
{
    struct looking_at at;
    int status = look(runs, run, &at);
    if (status != SCA_OK)
        return status;
    const struct sca_series *series = at.run->profile->series;
    struct sca_listing rows = {"phases", series ? series->nphases : 0, sizeof *out, fill_phase,
                               &at};
    return sca_rows_copy(&rows, first, count, out, size);
}
