#include "export/export.h"
#include "export/formats.h"
#include "export/labels.h"
#include "sca_replace.h"
#include "report/report_text.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

static const struct format {
    const char *name;
    int (*write)(const struct sca_export *e);
} formats[] = {
    {"extrap", sca_stacks_write_extrap},
    {"folded", sca_stacks_write_folded},
    {"hatchet", sca_trees_write_hatchet},
    {"speedscope", sca_stacks_write_speedscope},
    {"dot", sca_dot_write},
    {"caliper", sca_trees_write_caliper},
    {"psg", sca_psg_dot_write},
};

static const struct format *find(const char *wish)
{
    size_t length = strcspn(wish, ":");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strlen(formats[i].name) == length && !strncmp(formats[i].name, wish, length) &&
            wish[length] == ':' && wish[length + 1])
            return &formats[i];
    return NULL;
}

int sca_export_check(const char *wish)
{
    if (find(wish))
        return SCA_OK;
    return sca_fail(SCA_EINVAL, "--export=%s: expected FORMAT:FILE", wish);
}

static bool is_complete(const struct sca_report_metric *metric)
{
    for (uint32_t i = 0; i < metric->nrows; i++)
        if (!metric->rows[i].complete)
            return false;
    return true;
}

int sca_export_check_metric(const struct sca_report *report, const char *name)
{
    const struct sca_report_metric *metric = name ? sca_report_metric_find(report, name) : NULL;
    if (!name)
        return SCA_OK;
    if (!metric)
        return sca_fail(SCA_EINVAL,
                        "--metric=%s: no metric of this run (--view=metrics lists them)", name);
    if (metric->of != UINT32_MAX)
        return sca_fail(SCA_EINVAL, "--metric=%s: a ratio cannot be added up in stacks", name);
    if (*metric->absent)
        return sca_fail(SCA_EINVAL, "--metric=%s: no values: %s", name, metric->absent);
    if (!is_complete(metric))
        return sca_fail(SCA_EINVAL,
                        "--metric=%s: for so many ranks the report has no value per rank", name);
    return SCA_OK;
}

double sca_export_sum(const struct sca_export *e, const struct sca_report_metric *metric,
                      uint32_t vertex)
{
    const struct sca_report_metric_row *row = sca_export_row(e, metric, vertex);
    return row ? row->sum : 0;
}

double sca_export_value(const struct sca_export *e, const struct sca_report_metric *metric,
                        uint32_t vertex, uint32_t rank)
{
    const struct sca_report_metric_row *row = sca_export_row(e, metric, vertex);
    return row ? sca_report_metric_value(row, rank) : 0;
}

static void put_escaped(FILE *out, const char *p)
{
    for (; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
}

void sca_export_string(const struct sca_export *e, const char *text)
{
    char *repaired = sca_utf8_valid(text) ? NULL : sca_utf8_repair(text);
    fputc('"', e->out);
    put_escaped(e->out, repaired ? repaired : sca_utf8_valid(text) ? text : "?");
    fputc('"', e->out);
    free(repaired);
}

static void put_replaced(FILE *out, const char *text, const char *from, const char *to)
{
    for (const char *p; (p = strstr(text, from)); text = p + strlen(from)) {
        fwrite(text, 1, (size_t)(p - text), out);
        fputs(to, out);
    }
    fputs(text, out);
}

void sca_export_stack(const struct sca_export *e, uint32_t vertex, const char *separator,
                      const char *from, const char *to)
{
    for (uint32_t d = 0; d <= e->outline.depth[vertex]; d++) {
        fputs(d ? separator : "", e->out);
        put_replaced(e->out, e->label[e->path[d]], from, to);
    }
}

struct job {
    const struct sca_report *report;
    const struct format *format;
    const char *metric;
};

/* NULL: out of memory. */
static const struct sca_report_metric_row **rows_by_vertex(const struct sca_report *r)
{
    const struct sca_report_metric_row **rows =
        calloc((size_t)r->nmetrics * r->nvertices + 1, sizeof *rows);
    for (uint32_t i = 0; rows && i < r->nmetrics; i++)
        for (uint32_t k = 0; k < r->metrics[i].nrows; k++)
            rows[(size_t)i * r->nvertices + r->metrics[i].rows[k].vertex] = &r->metrics[i].rows[k];
    return rows;
}

static int run(FILE *out, const void *context)
{
    const struct job *job = context;
    const struct sca_report *r = job->report;
    struct sca_export e = {.out = out, .r = r};
    int status = sca_outline_open(&e.outline, r);
    e.nranks = r->nruns ? r->runs[r->nruns - 1].ranks : 0;
    e.label = sca_labels_make(r);
    e.path = calloc(r->nvertices + (size_t)1, sizeof *e.path);
    e.rows = rows_by_vertex(r);
    e.metric = job->metric ? sca_report_metric_find(r, job->metric) : NULL;
    if (status == SCA_OK && (!e.label || !e.path || !e.rows))
        status = sca_fail(SCA_ENOMEM, "out of memory for %u vertices", r->nvertices);
    if (status == SCA_OK)
        status = job->format->write(&e);
    sca_labels_free(e.label, r->nvertices);
    sca_outline_close(&e.outline);
    free(e.path);
    free((void *)e.rows);
    return status;
}

int sca_export_write(const struct sca_report *report, const char *wish, const char *metric)
{
    struct job job = {report, find(wish), metric};
    int status = sca_export_check_metric(report, metric);
    if (!job.format)
        return sca_export_check(wish);
    if (status != SCA_OK)
        return status;
    return sca_replace_file(strchr(wish, ':') + 1, run, &job);
}
