/* The metrics that a report has, and their rows. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"

#include <assert.h>
#include <string.h>

static_assert(SCA_REPORT_QUANTILES ==
                  sizeof(((struct scalana_metric_row *)NULL)->quantiles) / sizeof(double),
              "quantiles are handed on as they are");

static void fill_metric(const void *source, uint32_t i, void *row)
{
    const struct sca_report_metric *m = &((const struct sca_report *)source)->metrics[i];
    *(struct scalana_report_metric *)row = (struct scalana_report_metric){.name = m->name,
                                                                          .title = m->title,
                                                                          .unit = m->unit,
                                                                          .meaning = m->meaning,
                                                                          .absent = m->absent,
                                                                          .parent = m->parent,
                                                                          .of = m->of,
                                                                          .per = m->per,
                                                                          .scale = m->scale,
                                                                          .nrows = m->nrows};
}

int scalana_report_metrics(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_report_metric *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCALANA_OK)
        return status;
    struct sca_listing rows = {"metrics", report->of->nmetrics, sizeof *out, fill_metric,
                               report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_row(const void *source, uint32_t i, void *row)
{
    const struct sca_report_metric_row *r = &((const struct sca_report_metric *)source)->rows[i];
    struct scalana_metric_row *to = row;
    *to = (struct scalana_metric_row){.vertex = r->vertex,
                                      .complete = r->complete,
                                      .same = r->same,
                                      .sum = r->sum,
                                      .nvalues = r->nvalues,
                                      .ranks = r->ranks,
                                      .values = r->values,
                                      .least_rank = r->least_rank,
                                      .most_rank = r->most_rank,
                                      .nquantiles = r->nquantiles};
    memcpy(to->quantiles, r->quantiles, sizeof to->quantiles);
}

int scalana_report_metric_rows(const scalana_report *report, uint32_t metric, uint32_t first,
                               uint32_t count, struct scalana_metric_row *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status == SCALANA_OK)
        status = sca_arguments_index(metric, report->of->nmetrics, "metric");
    if (status != SCALANA_OK)
        return status;
    const struct sca_report_metric *of = &report->of->metrics[metric];
    struct sca_listing rows = {"metric rows", of->nrows, sizeof *out, fill_row, of};
    return sca_rows_copy(&rows, first, count, out, size);
}
