/* Writing the series of a report. */
#include "report/report_series.h"

#include <math.h>

const char *const sca_report_series_columns[SCA_REPORT_SERIES_COLUMNS] = {
    [SCA_SERIES_LAST_ITERATION] = "last_iteration",
    [SCA_SERIES_POINT_ITERATIONS] = "iterations",
    [SCA_SERIES_BEGIN_S] = "begin_s",
    [SCA_SERIES_SPAN_S] = "span_s",
    [SCA_SERIES_OWN_S] = "own_min_s",
    [SCA_SERIES_OWN_S + 1] = "own_median_s",
    [SCA_SERIES_OWN_S + 2] = "own_max_s",
    [SCA_SERIES_OWN_S + 3] = "own_mean_s",
    [SCA_SERIES_MPI_S] = "mpi_min_s",
    [SCA_SERIES_MPI_S + 1] = "mpi_median_s",
    [SCA_SERIES_MPI_S + 2] = "mpi_max_s",
    [SCA_SERIES_MPI_S + 3] = "mpi_mean_s",
    [SCA_SERIES_OFF_CPU_MEAN_S] = "off_cpu_mean_s",
    [SCA_SERIES_OFF_CPU_MAX_S] = "off_cpu_max_s",
    [SCA_SERIES_MEMORY_BYTES] = "memory_bytes",
    [SCA_SERIES_SLOWEST_RANK] = "slowest_rank",
    [SCA_SERIES_CLUSTER] = "cluster",
    [SCA_SERIES_PHASE] = "phase",
    [SCA_SERIES_RECORDED] = "recorded",
    [SCA_SERIES_EFFICIENCY] = "load_balance",
    [SCA_SERIES_EFFICIENCY + 1] = "serialisation",
    [SCA_SERIES_EFFICIENCY + 2] = "transfer",
    [SCA_SERIES_EFFICIENCY + 3] = "parallel",
};

struct putting {
    cJSON *object;
    cJSON *(*make_number)(double value);
};

/* NAN is null. */
static void put(const struct putting *to, const char *name, double value)
{
    cJSON_AddItemToObject(to->object, name,
                          isnan(value) ? cJSON_CreateNull() : to->make_number(value));
}

static struct putting begin(const struct putting *to, cJSON *list)
{
    struct putting item = {cJSON_CreateObject(), to->make_number};
    cJSON_AddItemToArray(list, item.object);
    return item;
}

static void put_points(const struct putting *to, const struct sca_report_series_loop *loop)
{
    cJSON *points = cJSON_AddObjectToObject(to->object, "points");
    for (int c = 0; c < SCA_REPORT_SERIES_COLUMNS; c++) {
        cJSON *column = cJSON_AddArrayToObject(points, sca_report_series_columns[c]);
        for (uint32_t i = 0; i < loop->npoints; i++)
            cJSON_AddItemToArray(column, isnan(loop->points[c][i])
                                             ? cJSON_CreateNull()
                                             : to->make_number(loop->points[c][i]));
    }
}

static void put_contexts(const struct putting *to, const struct sca_report_series_cluster *c)
{
    cJSON *list = cJSON_AddArrayToObject(to->object, "contexts");
    for (uint32_t i = 0; i < c->ncontexts; i++) {
        struct putting o = begin(to, list);
        put(&o, "vertex", c->contexts[i].vertex);
        put(&o, "own_s", c->contexts[i].own_s);
        put(&o, "own_max_s", c->contexts[i].own_max_s);
        put(&o, "wait_s", c->contexts[i].wait_s);
        put(&o, "calls", c->contexts[i].calls);
    }
}

static void put_events(const struct putting *to, const struct sca_report_series_cluster *c)
{
    cJSON *list = c->nevents ? cJSON_AddArrayToObject(to->object, "events") : NULL;
    for (uint32_t i = 0; i < c->nevents; i++) {
        struct putting o = begin(to, list);
        cJSON_AddStringToObject(o.object, "event", c->events[i].event);
        put(&o, "iterations", c->events[i].iterations);
        put(&o, "mean", c->events[i].mean);
        put(&o, "max", c->events[i].max);
        put(&o, "least", c->events[i].least);
        put(&o, "most", c->events[i].most);
    }
}

static void put_clusters(const struct putting *to, const struct sca_report_series_loop *loop)
{
    cJSON *list = cJSON_AddArrayToObject(to->object, "clusters");
    for (uint32_t i = 0; i < loop->nclusters; i++) {
        const struct sca_report_series_cluster *c = &loop->clusters[i];
        struct putting o = begin(to, list);
        put(&o, "iterations", c->iterations);
        put(&o, "first_iteration", c->first_iteration);
        put(&o, "span_s", c->span_s);
        put(&o, "own_s", c->own_s);
        put(&o, "own_max_s", c->own_max_s);
        put(&o, "mpi_s", c->mpi_s);
        put(&o, "off_cpu_s", c->off_cpu_s);
        put(&o, "load_balance", c->load_balance);
        put(&o, "communication", c->communication);
        put(&o, "serialisation", c->serialisation);
        put(&o, "transfer", c->transfer);
        put(&o, "parallel", c->parallel);
        put(&o, "recorded", c->recorded);
        put_contexts(&o, c);
        put_events(&o, c);
    }
}

static void put_changes(const struct putting *to, const struct sca_report_series_loop *loop)
{
    cJSON *list = cJSON_AddArrayToObject(to->object, "changes");
    for (uint32_t i = 0; i < loop->nchanges; i++) {
        const struct sca_report_series_change *c = &loop->changes[i];
        struct putting o = begin(to, list);
        cJSON_AddStringToObject(o.object, "change", c->change);
        cJSON_AddStringToObject(o.object, "acts", c->acts);
        put(&o, "first_iteration", c->first_iteration);
        put(&o, "last_iteration", c->last_iteration);
        put(&o, "period", c->period);
        put(&o, "at_s", c->at_s);
        put(&o, "ratio", c->ratio);
        cJSON *ranks = cJSON_AddArrayToObject(o.object, "ranks");
        for (uint32_t k = 0; k < c->nranks; k++)
            cJSON_AddItemToArray(ranks, cJSON_CreateNumber(c->ranks[k]));
    }
}

static void put_loop(const struct putting *to, cJSON *list,
                     const struct sca_report_series_loop *loop)
{
    struct putting o = begin(to, list);
    cJSON_AddStringToObject(o.object, "source", loop->source);
    put(&o, "vertex", loop->vertex == UINT32_MAX ? (double)NAN : loop->vertex);
    put(&o, "begin_s", loop->begin_s);
    put(&o, "end_s", loop->end_s);
    put_points(&o, loop);
    put_clusters(&o, loop);
    put_changes(&o, loop);
}

static void put_phase(const struct putting *to, cJSON *list,
                      const struct sca_report_series_phase *p)
{
    struct putting o = begin(to, list);
    cJSON_AddStringToObject(o.object, "name", p->name);
    put(&o, "parent", p->parent == UINT32_MAX ? (double)NAN : p->parent);
    put(&o, "nranks", p->nranks);
    put(&o, "slowest_rank", p->slowest_rank);
    put(&o, "count", p->count);
    put(&o, "begin_s", p->begin_s);
    put(&o, "end_s", p->end_s);
    put(&o, "span_s", p->span_s);
    put(&o, "own_mean_s", p->own_mean_s);
    put(&o, "own_max_s", p->own_max_s);
    put(&o, "mpi_mean_s", p->mpi_mean_s);
    put(&o, "off_cpu_mean_s", p->off_cpu_mean_s);
    put(&o, "load_balance", p->load_balance);
    put(&o, "communication", p->communication);
    put(&o, "serialisation", p->serialisation);
    put(&o, "transfer", p->transfer);
    put(&o, "parallel", p->parallel);
    put(&o, "recorded", p->recorded);
}

void sca_report_series_put(cJSON *root, const struct sca_report *report,
                           cJSON *(*make_number)(double value))
{
    const struct sca_report_series *s = &report->series;
    if (!s->nloops && !s->nphases)
        return;
    struct putting to = {cJSON_AddObjectToObject(root, "series"), make_number};
    put(&to, "nranks", s->nranks);
    put(&to, "left_out", s->nleft_out);
    cJSON_AddBoolToObject(to.object, "shared_cores", s->shared_cores);
    cJSON *loops = cJSON_AddArrayToObject(to.object, "loops");
    for (uint32_t i = 0; i < s->nloops; i++)
        put_loop(&to, loops, &s->loops[i]);
    cJSON *phases = cJSON_AddArrayToObject(to.object, "phases");
    for (uint32_t i = 0; i < s->nphases; i++)
        put_phase(&to, phases, &s->phases[i]);
}
