/* Where ranks shared cores: what they waited for each other, in place of the clock's time in MPI.
 */
#include "html/html_page.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

static bool is_mpi(const struct sca_report_vertex *v)
{
    return !strcmp(v->kind, "mpi");
}

static uint32_t count_calls(const struct sca_report *r)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < r->nvertices; v++)
        n += is_mpi(&r->vertices[v]);
    return n;
}

/* Ranks that the report does not list have 0; of an incomplete row only the sum is known. */
static void set_waits(struct sca_report_vertex *v, const struct sca_report_metric *waiting,
                      uint32_t nranks, double *seconds)
{
    v->nranks = nranks;
    v->rank_s = seconds;
    for (uint32_t i = 0; i < waiting->nrows; i++) {
        const struct sca_report_metric_row *row = &waiting->rows[i];
        if (row->vertex != v->id)
            continue;
        v->nranks = row->complete ? nranks : 0;
        for (uint32_t r = 0; r < v->nranks; r++)
            seconds[r] = sca_report_metric_value(row, r);
    }
}

int sca_html_replay(struct sca_html *h, const struct sca_report *report)
{
    const struct sca_report_metric *waiting = sca_report_metric_find(report, "waiting");
    if (!sca_report_is_replayed(report) || !waiting || *waiting->absent)
        return SCA_OK;
    uint32_t nranks = report->runs[report->nruns - 1].ranks;
    h->replayed = *report;
    h->replayed.vertices = calloc(report->nvertices + 1ul, sizeof *report->vertices);
    h->waits = calloc((size_t)count_calls(report) * nranks + 1, sizeof *h->waits);
    if (!h->replayed.vertices || !h->waits)
        return sca_fail(SCA_ENOMEM, "out of memory for the HTML report");
    double *next = h->waits;
    for (uint32_t v = 0; v < report->nvertices; v++) {
        h->replayed.vertices[v] = report->vertices[v];
        if (is_mpi(&report->vertices[v])) {
            set_waits(&h->replayed.vertices[v], waiting, nranks, next);
            next += nranks;
        }
    }
    h->r = &h->replayed;
    return SCA_OK;
}
