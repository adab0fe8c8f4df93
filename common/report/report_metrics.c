/* Rows of metrics: as short as the ranks allow. */
#include "sca_report.h"
#include "base/select.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double parts[SCA_REPORT_QUANTILES] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};

static int no_memory(void)
{
    return sca_fail(SCA_ENOMEM, "out of memory for the metrics");
}

/* Room for a row's values, with their ranks where not all are listed. */
static int take(struct sca_report *report, uint32_t n, bool with_ranks,
                struct sca_report_metric_row *row)
{
    row->nvalues = n;
    row->values = sca_report_alloc(report, n * sizeof *row->values);
    row->ranks = with_ranks ? sca_report_alloc(report, n * sizeof *row->ranks) : NULL;
    return row->values && (row->ranks || !with_ranks) ? SCA_OK : no_memory();
}

static bool all_same(const double *values, uint32_t n)
{
    for (uint32_t r = 1; r < n; r++)
        if (values[r] != values[0])
            return false;
    return n > 1;
}

/* Those that have any; a rank and its value are as long as two values. */
static int fill_few(struct sca_report *report, const double *values, uint32_t nranks,
                    uint32_t nonzero, struct sca_report_metric_row *row)
{
    uint32_t used = 0;
    int status = take(report, nonzero, true, row);
    for (uint32_t r = 0; status == SCA_OK && r < nranks; r++)
        if (values[r] != 0) {
            row->ranks[used] = r;
            row->values[used++] = values[r];
        }
    return status;
}

int sca_report_metric_row_fill(struct sca_report *report, const double *values, uint32_t nranks,
                               struct sca_report_metric_row *row)
{
    uint32_t nonzero = 0;
    row->complete = true;
    row->sum = 0;
    for (uint32_t r = 0; r < nranks; r++) {
        row->sum += values[r];
        nonzero += values[r] != 0;
    }
    row->same = all_same(values, nranks);
    if (!row->same && 2 * nonzero < nranks)
        return fill_few(report, values, nranks, nonzero, row);
    int status = take(report, row->same ? 1 : nranks, false, row);
    if (status == SCA_OK && row->nvalues)
        memcpy(row->values, values, row->nvalues * sizeof *values);
    return status;
}

static void find_extremes(const double *values, uint32_t n, struct sca_report_metric_row *row)
{
    for (uint32_t r = 1; r < n; r++) {
        row->least_rank = values[r] < values[row->least_rank] ? r : row->least_rank;
        row->most_rank = values[r] > values[row->most_rank] ? r : row->most_rank;
    }
    row->nquantiles = 2;
    row->quantiles[0] = values[row->least_rank];
    row->quantiles[1] = values[row->most_rank];
}

/* What is added to a place between two neighbours is between their values. */
static uint32_t place_of(int quantile, uint32_t n, double *beyond)
{
    double at = parts[quantile] * (n - 1);
    *beyond = at - (uint32_t)at;
    return (uint32_t)at;
}

/* Linear between neighbours. */
static void find_quantiles(const double *values, uint32_t n, double *working,
                           struct sca_report_metric_row *row)
{
    uint32_t places[2 * SCA_REPORT_QUANTILES];
    double beyond;
    for (int i = 0; i < SCA_REPORT_QUANTILES; i++) {
        places[2 * i] = place_of(i, n, &beyond);
        places[2 * i + 1] = places[2 * i] + 1 < n ? places[2 * i] + 1 : places[2 * i];
    }
    memcpy(working, values, n * sizeof *working);
    sca_select_places(working, n, places, 2 * SCA_REPORT_QUANTILES);
    for (int i = 0; i < SCA_REPORT_QUANTILES; i++) {
        double low = working[places[2 * i]], high = working[places[2 * i + 1]];
        (void)place_of(i, n, &beyond);
        row->quantiles[i] = low + beyond * (high - low);
    }
    row->nquantiles = SCA_REPORT_QUANTILES;
}

int sca_report_metric_row_shorten(struct sca_report *report, const double *values, uint32_t nranks,
                                  const uint32_t *kept, uint32_t nkept, double *sorted,
                                  struct sca_report_metric_row *row)
{
    int status = take(report, nkept, true, row);
    if (status != SCA_OK || !nranks)
        return status;
    row->complete = row->same = false;
    row->least_rank = row->most_rank = 0;
    for (uint32_t i = 0; i < nkept; i++) {
        row->ranks[i] = kept[i];
        row->values[i] = values[kept[i]];
    }
    find_extremes(values, nranks, row);
    if (sorted)
        find_quantiles(values, nranks, sorted, row);
    return SCA_OK;
}

int sca_report_metric_row_spread(struct sca_report *report, const struct sca_report_metric_row *row,
                                 uint32_t nranks, const uint32_t *kept, uint32_t nkept,
                                 double *working, struct sca_report_metric_row *out)
{
    *out = *row;
    for (uint32_t r = 0; r < nranks; r++)
        working[r] = sca_report_metric_value(row, r);
    return sca_report_metric_row_shorten(report, working, nranks, kept, nkept, working + nranks,
                                         out);
}

double sca_report_metric_value(const struct sca_report_metric_row *row, uint32_t rank)
{
    if (row->same)
        return row->values[0];
    if (!row->ranks)
        return rank < row->nvalues ? row->values[rank] : 0;
    uint32_t low = 0, high = row->nvalues;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (row->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < row->nvalues && row->ranks[low] == rank)
        return row->values[low];
    return row->complete ? 0 : (double)NAN;
}

const struct sca_report_metric *sca_report_metric_find(const struct sca_report *report,
                                                       const char *name)
{
    for (uint32_t i = 0; i < report->nmetrics; i++)
        if (!strcmp(report->metrics[i].name, name))
            return &report->metrics[i];
    return NULL;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_among(const uint32_t *ranks, uint32_t n, uint32_t rank)
{
    for (uint32_t i = 0; i < n; i++)
        if (ranks[i] == rank)
            return true;
    return false;
}

uint32_t sca_report_metric_ranks(const struct sca_report *report, uint32_t nranks, uint32_t *out,
                                 uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < report->ncauses; i++)
        for (uint32_t k = 0; k < report->causes[i].nranks && n < most; k++) {
            uint32_t rank = report->causes[i].ranks[k];
            if (rank < nranks && !is_among(out, n, rank))
                out[n++] = rank;
        }
    if (n)
        qsort(out, n, sizeof *out, by_number);
    return n;
}
