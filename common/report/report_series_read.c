/* Reading the series of a report. */
#include "report/report_series.h"

#include <math.h>

/* Older reports have no such column; null is not known. */
static void mark_unknown(const cJSON *points, int column, double *values, uint32_t n)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(points, sca_report_series_columns[column]);
    item = item ? item->child : NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (column >= SCA_SERIES_EFFICIENCY && (!item || cJSON_IsNull(item)))
            values[i] = (double)NAN;
        item = item ? item->next : NULL;
    }
}

static void get_later_column(struct sca_in *in, const cJSON *points, int column,
                             struct sca_report_series_loop *loop)
{
    const char *name = sca_report_series_columns[column];
    uint32_t n = loop->npoints;
    if (cJSON_GetObjectItemCaseSensitive(points, name))
        loop->points[column] = sca_report_fields_doubles(in, points, name, &n);
    else
        loop->points[column] = sca_report_alloc(in->report, (n + 1ul) * sizeof(double));
    if (!in->status && n != loop->npoints)
        sca_report_fields_fault(in, name, "is not as long as the other columns");
    if (!in->status && loop->points[column])
        mark_unknown(points, column, loop->points[column], n);
}

static void get_points(struct sca_in *in, const cJSON *o, struct sca_report_series_loop *loop)
{
    const cJSON *points = sca_report_fields_get(in, o, "points", cJSON_Object);
    for (int c = 0; c < SCA_SERIES_RECORDED && !in->status; c++) {
        uint32_t n;
        loop->points[c] = sca_report_fields_doubles(in, points, sca_report_series_columns[c], &n);
        if (!in->status && c && n != loop->npoints)
            sca_report_fields_fault(in, sca_report_series_columns[c],
                                    "is not as long as the other columns");
        loop->npoints = n;
    }
    for (int c = SCA_SERIES_RECORDED; c < SCA_REPORT_SERIES_COLUMNS && !in->status; c++)
        get_later_column(in, points, c, loop);
}

static void check_points(struct sca_in *in, const struct sca_report_series_loop *loop,
                         uint32_t nphases)
{
    for (uint32_t i = 0; i < loop->npoints && !in->status; i++) {
        double cluster = loop->points[SCA_SERIES_CLUSTER][i];
        double phase = loop->points[SCA_SERIES_PHASE][i];
        if (!(loop->points[SCA_SERIES_POINT_ITERATIONS][i] >= 1))
            sca_report_fields_fault(in, "iterations", "has a point of none");
        else if (!(cluster >= 0 && cluster < loop->nclusters))
            sca_report_fields_fault(in, "cluster", "has a cluster that does not exist");
        else if (!(phase >= -1 && phase < nphases))
            sca_report_fields_fault(in, "phase", "has a phase that does not exist");
    }
}

static void get_context(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_series_context *c = out;
    (void)index;
    c->vertex = sca_report_fields_u32(in, o, "vertex", UINT32_MAX);
    if (c->vertex >= in->report->nvertices)
        sca_report_fields_fault(in, "vertex", "does not exist");
    c->own_s = sca_report_fields_double(in, o, "own_s");
    c->own_max_s = sca_report_fields_double(in, o, "own_max_s");
    c->wait_s = sca_report_fields_double(in, o, "wait_s");
    c->calls = sca_report_fields_double(in, o, "calls");
}

static void get_events(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_series_events *e = out;
    (void)index;
    e->event = sca_report_fields_string(in, o, "event", "");
    e->iterations = sca_report_fields_double(in, o, "iterations");
    e->mean = sca_report_fields_measured(in, o, "mean");
    e->max = sca_report_fields_measured(in, o, "max");
    e->least = sca_report_fields_measured(in, o, "least");
    e->most = sca_report_fields_measured(in, o, "most");
}

static void get_cluster(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_series_cluster *c = out;
    (void)index;
    c->iterations = sca_report_fields_double(in, o, "iterations");
    c->first_iteration = sca_report_fields_double(in, o, "first_iteration");
    c->span_s = sca_report_fields_double(in, o, "span_s");
    c->own_s = sca_report_fields_double(in, o, "own_s");
    c->own_max_s = sca_report_fields_double(in, o, "own_max_s");
    c->mpi_s = sca_report_fields_double(in, o, "mpi_s");
    c->off_cpu_s = sca_report_fields_double(in, o, "off_cpu_s");
    c->load_balance = sca_report_fields_measured(in, o, "load_balance");
    c->communication = sca_report_fields_measured(in, o, "communication");
    c->serialisation = sca_report_fields_measured(in, o, "serialisation");
    c->transfer = sca_report_fields_measured(in, o, "transfer");
    c->parallel = sca_report_fields_measured(in, o, "parallel");
    c->recorded = sca_report_fields_double(in, o, "recorded");
    c->contexts =
        sca_report_fields_list(in, o, "contexts", sizeof *c->contexts, get_context, &c->ncontexts);
    c->events = sca_report_fields_list(in, o, "events", sizeof *c->events, get_events, &c->nevents);
}

static uint32_t ranks_of(const struct sca_report *r)
{
    return r->nruns ? r->runs[r->nruns - 1].ranks : 0;
}

static void get_change(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_series_change *c = out;
    (void)index;
    c->change = sca_report_fields_string(in, o, "change", "");
    c->acts = sca_report_fields_string(in, o, "acts", "");
    c->first_iteration = sca_report_fields_measured(in, o, "first_iteration");
    c->last_iteration = sca_report_fields_measured(in, o, "last_iteration");
    c->period = sca_report_fields_measured(in, o, "period");
    c->at_s = sca_report_fields_double(in, o, "at_s");
    c->ratio = sca_report_fields_double(in, o, "ratio");
    c->ranks = sca_report_fields_ranks(in, o, ranks_of(in->report), &c->nranks);
}

static void get_loop(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_series_loop *loop = out;
    (void)index;
    loop->source = sca_report_fields_string(in, o, "source", "");
    loop->vertex = sca_report_fields_u32(in, o, "vertex", UINT32_MAX);
    if (loop->vertex != UINT32_MAX && loop->vertex >= in->report->nvertices)
        sca_report_fields_fault(in, "vertex", "does not exist");
    loop->begin_s = sca_report_fields_double(in, o, "begin_s");
    loop->end_s = sca_report_fields_double(in, o, "end_s");
    loop->clusters = sca_report_fields_list(in, o, "clusters", sizeof *loop->clusters, get_cluster,
                                            &loop->nclusters);
    loop->changes = sca_report_fields_list(in, o, "changes", sizeof *loop->changes, get_change,
                                           &loop->nchanges);
    get_points(in, o, loop);
    if (!in->status)
        check_points(in, loop, in->report->series.nphases);
}

static void get_phase(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_series_phase *p = out;
    p->name = sca_report_fields_string(in, o, "name", "");
    p->parent = sca_report_fields_u32(in, o, "parent", UINT32_MAX);
    if (p->parent != UINT32_MAX && p->parent >= index)
        sca_report_fields_fault(in, "parent", "is not a phase before it");
    p->nranks = sca_report_fields_u32(in, o, "nranks", 0);
    p->slowest_rank = sca_report_fields_u32(in, o, "slowest_rank", 0);
    p->count = sca_report_fields_double(in, o, "count");
    p->begin_s = sca_report_fields_double(in, o, "begin_s");
    p->end_s = sca_report_fields_double(in, o, "end_s");
    p->span_s = sca_report_fields_double(in, o, "span_s");
    p->own_mean_s = sca_report_fields_double(in, o, "own_mean_s");
    p->own_max_s = sca_report_fields_double(in, o, "own_max_s");
    p->mpi_mean_s = sca_report_fields_double(in, o, "mpi_mean_s");
    p->off_cpu_mean_s = sca_report_fields_double(in, o, "off_cpu_mean_s");
    p->load_balance = sca_report_fields_measured(in, o, "load_balance");
    p->communication = sca_report_fields_measured(in, o, "communication");
    p->serialisation = sca_report_fields_measured(in, o, "serialisation");
    p->transfer = sca_report_fields_measured(in, o, "transfer");
    p->parallel = sca_report_fields_measured(in, o, "parallel");
    p->recorded = sca_report_fields_double(in, o, "recorded");
}

void sca_report_series_get(struct sca_in *in, const cJSON *root, struct sca_report *report)
{
    struct sca_report_series *s = &report->series;
    const cJSON *o = sca_report_fields_get(in, root, "series", cJSON_Object);
    if (!o || in->status)
        return;
    s->nranks = sca_report_fields_u32(in, o, "nranks", 0);
    s->nleft_out = sca_report_fields_u32(in, o, "left_out", 0);
    s->shared_cores = sca_report_fields_bool(in, o, "shared_cores", false);
    s->phases = sca_report_fields_list(in, o, "phases", sizeof *s->phases, get_phase, &s->nphases);
    s->loops = sca_report_fields_list(in, o, "loops", sizeof *s->loops, get_loop, &s->nloops);
}
