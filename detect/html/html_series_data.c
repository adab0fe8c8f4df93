/* What the page's script makes a range of iterations of (range.js).
 *
 * The data: `shared` (cores), `ranks` in the series, `loops`: lists over points, `last` iteration
 * and how `many`, `begin` and `span` (seconds), and seconds of the whole point over ranks: `own`
 * (mean), `most` (slowest, which is `rank`), `mpi` (mean), `off` (mean); `serial`, serialisation
 * (-1: not known); `cluster`. `clusters`: of one iteration `own`, `recorded` iterations, and a flat
 * list `contexts` of vertex, own seconds, seconds waited, calls (mean rank). `rankOwn`, a list for
 * each rank over `factor` points each, in thousandths of `rankUnit` seconds. */
#include "html/html_explorer.h"
#include "html/html_parts.h"

#include <math.h>

enum { DIGITS = 4, FEW_DIGITS = 3, THOUSAND = 1000 };

static void put_column(const struct sca_html *h, const char *name,
                       const struct sca_report_series_loop *l, int column, int digits)
{
    fprintf(h->out, ",\n\"%s\":[", name);
    for (uint32_t i = 0; i < l->npoints; i++) {
        double value = l->points[column][i];
        fputs(i ? "," : "", h->out);
        sca_html_json_number(h, isnan(value) ? -1 : value, digits);
    }
    putc(']', h->out);
}

static void put_points(const struct sca_html *h, const struct sca_report_series_loop *l)
{
    enum { EXACT = 12, MEAN = 3, MOST = 2 };
    fputs("{\"begins\":", h->out);
    sca_html_json_number(h, l->begin_s, EXACT);
    put_column(h, "last", l, SCA_SERIES_LAST_ITERATION, EXACT);
    put_column(h, "many", l, SCA_SERIES_POINT_ITERATIONS, EXACT);
    put_column(h, "begin", l, SCA_SERIES_BEGIN_S, 6);
    put_column(h, "span", l, SCA_SERIES_SPAN_S, DIGITS);
    put_column(h, "own", l, SCA_SERIES_OWN_S + MEAN, DIGITS);
    put_column(h, "most", l, SCA_SERIES_OWN_S + MOST, DIGITS);
    put_column(h, "rank", l, SCA_SERIES_SLOWEST_RANK, EXACT);
    put_column(h, "mpi", l, SCA_SERIES_MPI_S + MEAN, DIGITS);
    put_column(h, "off", l, SCA_SERIES_OFF_CPU_MEAN_S, DIGITS);
    put_column(h, "serial", l, SCA_SERIES_EFFICIENCY + 1, DIGITS);
    put_column(h, "cluster", l, SCA_SERIES_CLUSTER, EXACT);
}

static void put_cluster(const struct sca_html *h, const struct sca_report_series_cluster *c)
{
    fputs("{\"own\":", h->out);
    sca_html_json_number(h, c->own_s, DIGITS);
    fputs(",\"recorded\":", h->out);
    sca_html_json_number(h, c->recorded, DIGITS);
    fputs(",\"contexts\":[", h->out);
    for (uint32_t i = 0; i < c->ncontexts; i++) {
        const struct sca_report_series_context *at = &c->contexts[i];
        const double values[] = {at->own_s, at->wait_s, at->calls};
        fprintf(h->out, "%s%u", i ? "," : "", at->vertex);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            putc(',', h->out);
            sca_html_json_number(h, values[k], FEW_DIGITS);
        }
    }
    fputs("]}", h->out);
}

static float greatest(const struct sca_html *h, const struct sca_report_series_loop *l)
{
    float most = 0;
    for (uint32_t r = 0; r < h->r->series.nranks; r++)
        for (uint32_t i = 0; i < l->nrank_points; i++)
            most = fmaxf(most, l->own[(size_t)r * l->own_stride + i]);
    return most;
}

static void put_ranks(const struct sca_html *h, const struct sca_report_series_loop *l)
{
    float unit = greatest(h, l) / THOUSAND;
    fprintf(h->out, ",\n\"factor\":%u,\"rankUnit\":%.6g,\"rankOwn\":[", l->factor, (double)unit);
    for (uint32_t r = 0; r < h->r->series.nranks; r++) {
        fputs(r ? ",\n[" : "[", h->out);
        for (uint32_t i = 0; i < l->nrank_points; i++)
            fprintf(h->out, "%s%ld", i ? "," : "",
                    unit > 0 ? lrintf(l->own[(size_t)r * l->own_stride + i] / unit) : 0L);
        putc(']', h->out);
    }
    putc(']', h->out);
}

static void put_loop(const struct sca_html *h, const struct sca_report_series_loop *l)
{
    put_points(h, l);
    fputs(",\n\"clusters\":[", h->out);
    for (uint32_t i = 0; i < l->nclusters; i++) {
        fputs(i ? ",\n" : "", h->out);
        put_cluster(h, &l->clusters[i]);
    }
    putc(']', h->out);
    put_ranks(h, l);
    putc('}', h->out);
}

void sca_html_series_data(const struct sca_html *h)
{
    const struct sca_report_series *s = &h->r->series;
    bool first = true;
    if (!s->ranks)
        return;
    fprintf(h->out,
            "<script type=\"application/json\" id=\"series-data\">{\"shared\":%s,\"ranks\":",
            s->shared_cores ? "true" : "false");
    sca_html_json_ranks(h, s->ranks, s->nranks);
    fputs(",\"loops\":[\n", h->out);
    for (uint32_t i = 0; i < s->nloops; i++)
        if (s->loops[i].npoints && s->loops[i].own) {
            fputs(first ? "" : ",\n", h->out);
            put_loop(h, &s->loops[i]);
            first = false;
        }
    fputs("]}</script>\n", h->out);
}
