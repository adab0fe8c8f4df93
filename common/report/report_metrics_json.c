#include "report/report_metrics_json.h"
#include "sca_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_NUMBERS = 60000 }; /* values of ranks in all rows, and sums by rank */

/* ---- writing ---- */

struct writing {
    const struct sca_report *report;
    cJSON *(*number)(double value);
    bool *chosen;    /* per vertex: with the values of each rank */
    uint32_t nranks; /* of the largest run */
    double *values;  /* [2 * nranks]: of each rank; working memory */
    uint32_t kept[SCA_REPORT_NAMED_RANKS], nkept;
};

/* Six digits tell a rank's part; the sum has nine, as all other numbers. */
static cJSON *short_number(double value)
{
    char text[32];
    if (!isfinite(value))
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "%.6g", value);
    return cJSON_CreateRaw(text);
}

static void put_values(cJSON *object, const char *name, const double *values, uint32_t n)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for (uint32_t i = 0; i < n; i++)
        cJSON_AddItemToArray(array, short_number(values[i]));
}

static void put_numbers(cJSON *object, const char *name, const uint32_t *numbers, uint32_t n)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for (uint32_t i = 0; i < n; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(numbers[i]));
}

static void put_row(const struct writing *w, cJSON *array, const struct sca_report_metric_row *row)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(array, o);
    cJSON_AddNumberToObject(o, "vertex", row->vertex);
    cJSON_AddItemToObject(o, "sum", w->number(row->sum));
    if (!row->complete) {
        cJSON_AddNumberToObject(o, "least_rank", row->least_rank);
        cJSON_AddNumberToObject(o, "most_rank", row->most_rank);
        put_values(o, "quantiles", row->quantiles, row->nquantiles);
    }
    if (row->same) {
        cJSON_AddItemToObject(o, "each", short_number(row->values[0]));
        return;
    }
    if (row->ranks)
        put_numbers(o, "ranks", row->ranks, row->nvalues);
    put_values(o, "values", row->values, row->nvalues);
}

static void put_short_row(struct writing *w, cJSON *array, const struct sca_report_metric_row *row)
{
    struct sca_report *scratch = sca_report_new();
    struct sca_report_metric_row shorter;
    if (scratch && sca_report_metric_row_spread(scratch, row, w->nranks, w->kept, w->nkept,
                                                w->values, &shorter) == SCA_OK)
        put_row(w, array, &shorter);
    sca_report_free(scratch);
}

static void put_rows(struct writing *w, cJSON *object, const struct sca_report_metric *metric)
{
    cJSON *array = cJSON_AddArrayToObject(object, "rows");
    for (uint32_t i = 0; i < metric->nrows; i++) {
        const struct sca_report_metric_row *row = &metric->rows[i];
        if (w->chosen[row->vertex] || !row->complete || row->nvalues <= SCA_REPORT_QUANTILES)
            put_row(w, array, row);
        else
            put_short_row(w, array, row);
    }
}

/* What other runs have of it, as sums over their ranks. */
static void put_others(const struct writing *w, cJSON *object,
                       const struct sca_report_metric *metric)
{
    cJSON *runs = metric->nothers ? cJSON_AddArrayToObject(object, "other_runs") : NULL;
    for (uint32_t i = 0; i < metric->nothers; i++) {
        const struct sca_report_metric_run *other = &metric->others[i];
        cJSON *run = cJSON_CreateObject();
        cJSON_AddItemToArray(runs, run);
        cJSON_AddNumberToObject(run, "run", other->run);
        cJSON *rows = cJSON_AddArrayToObject(run, "rows");
        for (uint32_t k = 0; k < other->nrows; k++) {
            cJSON *row = cJSON_CreateObject();
            cJSON_AddItemToArray(rows, row);
            cJSON_AddNumberToObject(row, "vertex", other->rows[k].vertex);
            cJSON_AddItemToObject(row, "sum", w->number(other->rows[k].sum));
        }
    }
}

static void put_ratio(const struct writing *w, cJSON *o, const struct sca_report_metric *metric)
{
    cJSON_AddStringToObject(o, "of", w->report->metrics[metric->of].name);
    cJSON_AddStringToObject(o, "per", w->report->metrics[metric->per].name);
    cJSON_AddItemToObject(o, "scale", w->number(metric->scale));
}

static void put_metric(struct writing *w, cJSON *array, const struct sca_report_metric *metric)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(array, o);
    cJSON_AddStringToObject(o, "name", metric->name);
    cJSON_AddStringToObject(o, "title", metric->title);
    cJSON_AddStringToObject(o, "unit", metric->unit);
    cJSON_AddStringToObject(o, "meaning", metric->meaning);
    if (metric->parent != UINT32_MAX)
        cJSON_AddStringToObject(o, "parent", w->report->metrics[metric->parent].name);
    if (metric->of != UINT32_MAX)
        put_ratio(w, o, metric);
    if (*metric->absent)
        cJSON_AddStringToObject(o, "absent", metric->absent);
    else if (metric->of == UINT32_MAX)
        put_rows(w, o, metric);
    if (metric->by_rank && (size_t)w->nranks * w->report->nmetrics <= MOST_NUMBERS)
        put_values(o, "by_rank", metric->by_rank, w->nranks);
    put_others(w, o, metric);
}

int sca_report_metrics_put(cJSON *root, const struct sca_report *report,
                           cJSON *(*number)(double value))
{
    struct writing w = {.report = report, .number = number};
    if (!report->nmetrics)
        return SCA_OK;
    w.nranks = report->nruns ? report->runs[report->nruns - 1].ranks : 0;
    w.chosen = sca_report_ranks_choose_metrics(report, MOST_NUMBERS);
    w.values = calloc(2 * (size_t)w.nranks + 1, sizeof *w.values);
    w.nkept = sca_report_metric_ranks(report, w.nranks, w.kept, SCA_REPORT_NAMED_RANKS);
    cJSON *array = w.chosen && w.values ? cJSON_AddArrayToObject(root, "metrics") : NULL;
    for (uint32_t i = 0; array && i < report->nmetrics; i++)
        put_metric(&w, array, &report->metrics[i]);
    free(w.values);
    free(w.chosen);
    return array ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory for the metrics");
}

/* ---- reading ---- */

static uint32_t largest_ranks(const struct sca_report *report)
{
    return report->nruns ? report->runs[report->nruns - 1].ranks : 0;
}

static void read_each(struct sca_in *in, const cJSON *o, struct sca_report_metric_row *row)
{
    row->same = true;
    row->nvalues = 1;
    row->values = sca_report_alloc(in->report, sizeof *row->values);
    if (row->values)
        row->values[0] = sca_report_fields_double(in, o, "each");
    else if (!in->status)
        in->status = sca_fail(SCA_ENOMEM, "out of memory reading %s", in->file);
}

static void read_spread(struct sca_in *in, const cJSON *o, struct sca_report_metric_row *row)
{
    uint32_t n, nranks = largest_ranks(in->report);
    const double *quantiles = sca_report_fields_doubles(in, o, "quantiles", &n);
    row->complete = !cJSON_GetObjectItemCaseSensitive(o, "quantiles");
    if (row->complete)
        return;
    if (n != 2 && n != SCA_REPORT_QUANTILES)
        sca_report_fields_fault(in, "quantiles", "has another number of values than 2 or 7");
    for (uint32_t i = 0; i < n && i < SCA_REPORT_QUANTILES; i++)
        row->quantiles[i] = quantiles[i];
    row->nquantiles = n;
    row->least_rank = sca_report_fields_index(in, o, "least_rank", nranks);
    row->most_rank = sca_report_fields_index(in, o, "most_rank", nranks);
}

static void check_order(struct sca_in *in, const struct sca_report_metric_row *row)
{
    for (uint32_t i = 1; row->ranks && i < row->nvalues; i++)
        if (row->ranks[i] <= row->ranks[i - 1])
            sca_report_fields_fault(in, "ranks", "does not rise");
}

static void read_row(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_metric_row *row = out;
    uint32_t listed = 0, nranks = largest_ranks(in->report);
    (void)index;
    row->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    row->sum = sca_report_fields_double(in, o, "sum");
    read_spread(in, o, row);
    if (cJSON_GetObjectItemCaseSensitive(o, "each")) {
        read_each(in, o, row);
        return;
    }
    row->values = sca_report_fields_doubles(in, o, "values", &row->nvalues);
    if (cJSON_GetObjectItemCaseSensitive(o, "ranks"))
        row->ranks = sca_report_fields_ranks(in, o, nranks, &listed);
    if (row->nvalues != (row->ranks ? listed : nranks))
        sca_report_fields_fault(in, "values", "does not have one for each rank");
    else
        check_order(in, row);
}

/* NULL where they are not told. */
static double *read_sums(struct sca_in *in, const cJSON *o)
{
    uint32_t n;
    double *sums = sca_report_fields_doubles(in, o, "by_rank", &n);
    if (!n)
        return NULL;
    if (n != largest_ranks(in->report))
        sca_report_fields_fault(in, "by_rank", "does not have one for each rank");
    return sums;
}

static void read_sum(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_metric_sum *row = out;
    (void)index;
    row->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    row->sum = sca_report_fields_double(in, o, "sum");
}

static void read_other_run(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_metric_run *other = out;
    (void)index;
    other->run = sca_report_fields_index(in, o, "run", in->report->nruns);
    other->rows =
        sca_report_fields_list(in, o, "rows", sizeof *other->rows, read_sum, &other->nrows);
}

static void read_metric(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_metric *metric = out;
    (void)index;
    metric->name = sca_report_fields_string(in, o, "name", "");
    metric->title = sca_report_fields_string(in, o, "title", metric->name);
    metric->unit = sca_report_fields_string(in, o, "unit", "");
    metric->meaning = sca_report_fields_string(in, o, "meaning", "");
    metric->absent = sca_report_fields_string(in, o, "absent", "");
    metric->scale = sca_report_fields_double(in, o, "scale");
    metric->rows =
        sca_report_fields_list(in, o, "rows", sizeof *metric->rows, read_row, &metric->nrows);
    metric->by_rank = read_sums(in, o);
    metric->others = sca_report_fields_list(in, o, "other_runs", sizeof *metric->others,
                                            read_other_run, &metric->nothers);
    metric->parent = metric->of = metric->per = UINT32_MAX;
}

/* Another metric by the name in a field; UINT32_MAX: there is no such field. */
static uint32_t read_other(struct sca_in *in, const cJSON *o, const char *field)
{
    const char *name = sca_report_fields_string(in, o, field, "");
    const struct sca_report_metric *other = sca_report_metric_find(in->report, name);
    if (*name && !other)
        sca_report_fields_fault(in, field, "names no metric");
    return other ? (uint32_t)(other - in->report->metrics) : UINT32_MAX;
}

void sca_report_metrics_get(struct sca_in *in, const cJSON *root)
{
    struct sca_report *r = in->report;
    uint32_t i = 0;
    r->metrics =
        sca_report_fields_list(in, root, "metrics", sizeof *r->metrics, read_metric, &r->nmetrics);
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(root, "metrics"), *item;
    if (in->status)
        return;
    cJSON_ArrayForEach(item, array)
    {
        struct sca_report_metric *metric = &r->metrics[i++];
        metric->parent = read_other(in, item, "parent");
        metric->of = read_other(in, item, "of");
        metric->per = read_other(in, item, "per");
        if ((metric->of == UINT32_MAX) != (metric->per == UINT32_MAX))
            sca_report_fields_fault(in, "metrics", "has a ratio of one metric");
    }
}
