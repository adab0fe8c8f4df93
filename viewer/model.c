#include "model.h"
#include "sca_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *new_table(uint32_t count)
{
    uint32_t *table = malloc((count + 1ul) * sizeof *table);
    for (uint32_t i = 0; table && i < count; i++)
        table[i] = SCA_NO_VERTEX;
    return table;
}

uint32_t sca_model_ncauses(const struct sca_model *model)
{
    return model->report->ncauses + model->report->nunconfirmed;
}

int sca_model_open(struct sca_model *model, const struct sca_report *report)
{
    *model = (struct sca_model){.report = report, .metric.metric = SCA_NO_METRIC};
    model->order = new_table(sca_model_ncauses(model));
    if (report->nruns)
        model->waited = calloc(report->runs[report->nruns - 1].ranks + 1ul, sizeof *model->waited);
    model->cause = new_table(report->nvertices);
    model->model = new_table(report->nvertices);
    if (!model->order || !model->cause || !model->model) {
        sca_model_close(model);
        return sca_fail(SCA_ENOMEM, "out of memory");
    }
    for (uint32_t i = sca_model_ncauses(model); i-- > 0;)
        model->cause[report->causes[i].vertex] = i;
    for (uint32_t i = report->nnonscalable; i-- > 0;)
        model->model[report->nonscalable[i].vertex] = i;
    sca_model_sort(model, SCA_BY_GAIN);
    return SCA_OK;
}

void sca_model_close(struct sca_model *model)
{
    free(model->waited);
    free(model->order);
    free(model->cause);
    free(model->model);
    sca_time_range_close(&model->range);
    sca_metric_table_close(&model->metric);
    *model = (struct sca_model){0};
}

const char *sca_model_sort_name(enum sca_sort sort)
{
    static const char *const names[] = {"gain",      "cost",  "time",
                                        "imbalance", "slope", "program order"};
    return names[sort];
}

const struct sca_report_run *sca_model_largest(const struct sca_model *model)
{
    const struct sca_report *r = model->report;
    return r->nruns ? &r->runs[r->nruns - 1] : NULL;
}

static double rank_sum(const struct sca_report_vertex *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < v->nranks; i++)
        sum += v->rank_s[i];
    return sum;
}

double sca_model_time(const struct sca_model *model, uint32_t vertex)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    if (model->range.chosen)
        return model->range.vertex_s[vertex];
    return v->nruns ? sca_report_vertex_s(model->report, vertex) : rank_sum(v);
}

static bool is_replayed_call(const struct sca_model *model, uint32_t vertex)
{
    return model->waited && sca_report_is_replayed(model->report) &&
           !strcmp(model->report->vertices[vertex].kind, "mpi");
}

/* Replayed, as the metric has them; none where it has no values of these ranks. */
static const double *waits_of_ranks(const struct sca_model *model, uint32_t vertex,
                                    uint32_t *nranks)
{
    const struct sca_report_metric *m = sca_report_metric_find(model->report, "waiting");
    *nranks = 0;
    for (uint32_t i = 0; m && i < m->nrows; i++) {
        if (m->rows[i].vertex != vertex)
            continue;
        *nranks = sca_model_largest(model)->ranks;
        for (uint32_t r = 0; r < *nranks; r++) {
            double value = sca_report_metric_value(&m->rows[i], r);
            model->waited[r] = isnan(value) ? 0 : value;
        }
    }
    return model->waited;
}

const double *sca_model_rank_s(const struct sca_model *model, uint32_t vertex, uint32_t *nranks)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    uint32_t i = model->cause[vertex];
    const struct sca_report_cause *c = i == SCA_NO_VERTEX ? NULL : &model->report->causes[i];
    bool own = c && c->nrank_s;
    if (is_replayed_call(model, vertex))
        return waits_of_ranks(model, vertex, nranks);
    *nranks = own ? c->nrank_s : v->nranks;
    return own ? c->rank_s : v->rank_s;
}

double sca_model_cause_time(const struct sca_model *model, uint32_t cause)
{
    const struct sca_report_cause *c = &model->report->causes[cause];
    double sum = 0;
    for (uint32_t i = 0; i < c->nrank_s; i++)
        sum += c->rank_s[i];
    return c->nrank_s && !model->range.chosen ? sum : sca_model_time(model, c->vertex);
}

double sca_model_imbalance(const struct sca_model *model, uint32_t vertex)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    double most = 0, sum = rank_sum(v);
    for (uint32_t i = 0; i < v->nranks; i++)
        most = fmax(most, v->rank_s[i]);
    return sum > 0 ? most * v->nranks / sum : 0;
}

double sca_model_slope(const struct sca_model *model, uint32_t vertex)
{
    uint32_t i = model->model[vertex];
    return i == SCA_NO_VERTEX ? NAN : model->report->nonscalable[i].slope;
}

double sca_model_value(const struct sca_model *model, uint32_t vertex, enum sca_sort sort)
{
    uint32_t cause = model->cause[vertex];
    switch (sort) {
    case SCA_BY_GAIN:
        return cause == SCA_NO_VERTEX ? NAN : model->report->causes[cause].gain_core_s;
    case SCA_BY_COST:
        return cause == SCA_NO_VERTEX ? NAN : model->report->causes[cause].cost_core_s;
    case SCA_BY_TIME:
        return sca_model_time(model, vertex);
    case SCA_BY_IMBALANCE:
        return sca_model_imbalance(model, vertex);
    case SCA_BY_SLOPE:
        return sca_model_slope(model, vertex);
    default:
        return NAN;
    }
}

struct keyed {
    double value;
    uint32_t index;
};

static int compare(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    bool a_known = !isnan(a->value), b_known = !isnan(b->value);
    if (a_known != b_known)
        return a_known ? -1 : 1;
    if (a_known && a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static double cause_value(const struct sca_model *model, uint32_t i, enum sca_sort sort)
{
    const struct sca_report_cause *c = &model->report->causes[i];
    if (sort == SCA_BY_GAIN)
        return c->gain_core_s;
    return sort == SCA_BY_COST ? c->cost_core_s : sca_model_value(model, c->vertex, sort);
}

typedef double value_of(const struct sca_model *model, uint32_t i, enum sca_sort sort);

static void sort_indices(const struct sca_model *model, enum sca_sort sort, value_of *value,
                         uint32_t *order, uint32_t count)
{
    struct keyed *keyed = malloc((count + 1ul) * sizeof *keyed);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        if (keyed)
            keyed[i] = (struct keyed){value(model, i, sort), i};
    }
    if (!keyed)
        return;
    qsort(keyed, count, sizeof *keyed, compare);
    for (uint32_t i = 0; i < count; i++)
        order[i] = keyed[i].index;
    free(keyed);
}

void sca_model_sort(struct sca_model *model, enum sca_sort sort)
{
    model->sort = sort;
    sort_indices(model, sort, cause_value, model->order, sca_model_ncauses(model));
}

/* Of the chosen metric instead of time. */
static double vertex_value(const struct sca_model *model, uint32_t vertex, enum sca_sort sort)
{
    bool chosen = sort == SCA_BY_TIME && model->metric.metric != SCA_NO_METRIC;
    return chosen ? model->metric.below[vertex] : sca_model_value(model, vertex, sort);
}

void sca_model_order_vertices(const struct sca_model *model, enum sca_sort sort, uint32_t *order)
{
    sort_indices(model, sort, vertex_value, order, model->report->nvertices);
}

bool sca_model_matches(const struct sca_model *model, uint32_t vertex, const char *needle)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    const char *base = strrchr(v->file, '/');
    char place[32];
    snprintf(place, sizeof place, ":%u", v->line);
    return strcasestr(v->name, needle) || strcasestr(v->function, needle) ||
           strcasestr(v->kind, needle) || strcasestr(base ? base + 1 : v->file, needle) ||
           !strcmp(place, needle);
}
