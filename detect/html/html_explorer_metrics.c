/* The explorer's metrics: as many values of ranks as a page may hold. */
#include "html/html_explorer.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_NUMBERS = 160000, /* values of ranks: so many, */
    PER_RANK = 400,         /* or so many times the ranks, */
    MOST_NUMBERS = 600000,  /* but no more than that */
    DIGITS_OF_SUM = 9,
    DIGITS = 5,
    DIGITS_OF_SPREAD = 4,
    MANY = 64,   /* values: then as parts of the greatest, */
    PARTS = 9999 /* so many of them */
};

struct rows {
    const struct sca_html *h;
    bool *chosen;    /* per vertex: with the values of each rank */
    double *working; /* [2 * ranks] */
    uint32_t kept[SCA_REPORT_NAMED_RANKS], nkept;
    bool some;   /* a row has been written */
    size_t most; /* numbers for which there is room */
    size_t used; /* of a report without metrics */
};

/* Whether whole numbers of parts of the greatest are shorter: [vertex, sum, part, [numbers]]. */
static double part_of(const struct sca_report_metric_row *row)
{
    double most = 0;
    bool whole = true;
    if (row->ranks || !row->complete || row->same || row->nvalues < MANY)
        return 0;
    for (uint32_t i = 0; i < row->nvalues; i++) {
        most = fmax(most, fabs(row->values[i]));
        whole = whole && row->values[i] == floor(row->values[i]) && row->values[i] < PARTS;
    }
    return whole || !isfinite(most) ? 0 : most / PARTS;
}

static void put_parts(struct rows *w, const struct sca_report_metric_row *row, double part)
{
    sca_html_json_number(w->h, part, DIGITS_OF_SUM);
    fputs(",[", w->h->out);
    for (uint32_t i = 0; i < row->nvalues; i++)
        fprintf(w->h->out, "%s%ld", i ? "," : "", lrint(row->values[i] / part));
    putc(']', w->h->out);
}

static void put_row(struct rows *w, const struct sca_report_metric_row *row)
{
    const struct sca_html *h = w->h;
    fprintf(h->out, "%s\n[%u,", w->some ? "," : "", row->vertex);
    w->some = true;
    sca_html_json_number(h, row->sum, DIGITS_OF_SUM);
    putc(',', h->out);
    if (!row->complete) {
        sca_html_json_numbers(h, row->quantiles, row->nquantiles, DIGITS_OF_SPREAD);
        fprintf(h->out, ",%u,%u,", row->least_rank, row->most_rank);
    }
    if (row->ranks || !row->complete) {
        sca_html_json_ranks(h, row->ranks, row->nvalues);
        putc(',', h->out);
    }
    double part = part_of(row);
    if (row->same)
        sca_html_json_number(h, row->values[0], DIGITS_OF_SUM);
    else if (part > 0)
        put_parts(w, row, part);
    else
        sca_html_json_numbers(h, row->values, row->nvalues, DIGITS);
    putc(']', h->out);
}

static int put_short_row(struct rows *w, const struct sca_report_metric_row *row)
{
    struct sca_report *scratch = sca_report_new();
    struct sca_report_metric_row shorter;
    int status = scratch ? sca_report_metric_row_spread(scratch, row, w->h->nranks, w->kept,
                                                        w->nkept, w->working, &shorter)
                         : sca_fail(SCA_ENOMEM, "out of memory for the page's metrics");
    if (status == SCA_OK)
        put_row(w, &shorter);
    sca_report_free(scratch);
    return status;
}

static int put_rows(struct rows *w, const struct sca_report_metric *metric)
{
    int status = SCA_OK;
    fputs(",\"rows\":[", w->h->out);
    w->some = false;
    for (uint32_t i = 0; i < metric->nrows && status == SCA_OK; i++) {
        const struct sca_report_metric_row *row = &metric->rows[i];
        if (w->chosen[row->vertex] || !row->complete || row->nvalues <= SCA_REPORT_QUANTILES)
            put_row(w, row);
        else
            status = put_short_row(w, row);
    }
    putc(']', w->h->out);
    return status;
}

/* Of each other run that has it: [run, [vertices], [sums]]. */
static void put_others(const struct sca_html *h, const struct sca_report_metric *metric)
{
    fputs(",\"others\":[", h->out);
    for (uint32_t i = 0; i < metric->nothers; i++) {
        const struct sca_report_metric_run *other = &metric->others[i];
        fprintf(h->out, "%s[%u,[", i ? "," : "", other->run);
        for (uint32_t k = 0; k < other->nrows; k++)
            fprintf(h->out, "%s%u", k ? "," : "", other->rows[k].vertex);
        fputs("],[", h->out);
        for (uint32_t k = 0; k < other->nrows; k++) {
            fputs(k ? "," : "", h->out);
            sca_html_json_number(h, other->rows[k].sum, DIGITS_OF_SUM);
        }
        fputs("]]", h->out);
    }
    putc(']', h->out);
}

static void put_field(const struct sca_html *h, const char *name, const char *text)
{
    fprintf(h->out, ",\"%s\":", name);
    sca_html_json_text(h, text);
}

static int put_metric(struct rows *w, const struct sca_report_metric *metric)
{
    const struct sca_html *h = w->h;
    fputs("{\"name\":", h->out);
    sca_html_json_text(h, metric->name);
    put_field(h, "title", metric->title);
    put_field(h, "unit", metric->unit);
    put_field(h, "meaning", metric->meaning);
    put_field(h, "absent", metric->absent);
    if (metric->parent != UINT32_MAX)
        fprintf(h->out, ",\"parent\":%u", metric->parent);
    if (metric->of != UINT32_MAX)
        fprintf(h->out, ",\"of\":%u,\"per\":%u,\"scale\":%.9g", metric->of, metric->per,
                metric->scale);
    if (metric->by_rank && (size_t)h->nranks * h->r->nmetrics <= MOST_NUMBERS) {
        fputs(",\"by_rank\":", h->out);
        sca_html_json_numbers(h, metric->by_rank, h->nranks, DIGITS);
    }
    if (metric->nothers)
        put_others(h, metric);
    int status = put_rows(w, metric);
    putc('}', h->out);
    return status;
}

static int put_metrics(struct rows *w, const struct sca_report *r)
{
    int status = SCA_OK;
    w->nkept = sca_report_metric_ranks(r, w->h->nranks, w->kept, SCA_REPORT_NAMED_RANKS);
    for (uint32_t i = 0; i < r->nmetrics && status == SCA_OK; i++) {
        fputs(i ? ",\n" : "", w->h->out);
        status = put_metric(w, &r->metrics[i]);
    }
    return status;
}

/* ---- of a report without metrics ---- */

/* With the values of ranks as long as there is room. */
static int put_older_row(struct rows *w, uint32_t vertex)
{
    const struct sca_html *h = w->h;
    const struct sca_report_vertex *v = &h->r->vertices[vertex];
    struct sca_report_metric_row row = {.vertex = vertex, .complete = true, .values = w->working};
    row.nvalues = v->nranks ? h->nranks : 0;
    for (uint32_t r = 0; r < row.nvalues; r++)
        row.sum += w->working[r] = sca_outline_rank_s(&h->outline, vertex, r);
    if (!v->nranks && v->nruns) { /* no more than that is known of it */
        row.sum = sca_outline_run_s(&h->outline, vertex, v->nruns - 1);
        row.complete = false;
    }
    if (!(row.sum > 0))
        return SCA_OK;
    w->used += row.nvalues;
    if (w->used > w->most)
        return put_short_row(w, &row);
    put_row(w, &row);
    return SCA_OK;
}

static int put_older(struct rows *w, const char *head, bool mpi)
{
    const struct sca_report *r = w->h->r;
    int status = SCA_OK;
    fputs(head, w->h->out);
    w->some = false;
    for (uint32_t v = 0; v < r->nvertices && status == SCA_OK; v++)
        if (mpi == !strcmp(r->vertices[v].kind, "mpi"))
            status = put_older_row(w, v);
    fputs("]}", w->h->out);
    return status;
}

static int put_both_older(struct rows *w)
{
    int status = put_older(w,
                           "{\"name\":\"computation\",\"title\":\"Computation\",\"unit\":\"s\","
                           "\"meaning\":\"own time outside MPI\",\"absent\":\"\",\"rows\":[",
                           false);
    if (status != SCA_OK)
        return status;
    return put_older(w,
                     ",\n{\"name\":\"mpi_time\",\"title\":\"Time in MPI\",\"unit\":\"s\","
                     "\"meaning\":\"inside MPI calls\",\"absent\":\"\",\"rows\":[",
                     true);
}

int sca_html_explorer_metrics(const struct sca_html *h)
{
    struct rows w = {.h = h, .most = (size_t)PER_RANK * h->nranks};
    w.most = w.most < LEAST_NUMBERS ? LEAST_NUMBERS : w.most > MOST_NUMBERS ? MOST_NUMBERS : w.most;
    w.chosen = sca_report_ranks_choose_metrics(h->r, w.most);
    w.working = calloc(2 * (size_t)h->nranks + 1, sizeof *w.working);
    int status = w.chosen && w.working
                     ? SCA_OK
                     : sca_fail(SCA_ENOMEM, "out of memory for the page's metrics");
    if (status == SCA_OK)
        status = h->r->nmetrics ? put_metrics(&w, h->r) : put_both_older(&w);
    free(w.chosen);
    free(w.working);
    return status;
}
