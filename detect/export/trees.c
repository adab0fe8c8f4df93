/* Formats that are trees: Hatchet's literal and Caliper's json-split. */
#include "export/formats.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

static double own(const struct sca_export *e, uint32_t v)
{
    return e->r->nruns ? sca_outline_run_s(&e->outline, v, e->r->nruns - 1) : 0;
}

/* What the figures of a tree are: time first, then every metric that adds up. */
static double figure(const struct sca_export *e, uint32_t number, uint32_t v)
{
    return number ? sca_export_sum(e, &e->r->metrics[number - 1], v) : own(e, v);
}

static bool has_figure(const struct sca_export *e, uint32_t number)
{
    return !number || sca_export_adds_up(&e->r->metrics[number - 1]);
}

/* Own figures, then each added to its parent from the end of the program order, vertex by vertex.
 * NULL: no memory. */
static double *inclusive_figures(const struct sca_export *e, uint32_t n)
{
    double *sum = calloc((size_t)e->outline.n * n + 1, sizeof *sum);
    for (uint32_t i = e->outline.n; sum && i-- > 0;) {
        uint32_t v = e->outline.order[i], parent = e->r->vertices[v].parent;
        for (uint32_t k = 0; k < n; k++) {
            sum[(size_t)v * n + k] += has_figure(e, k) ? figure(e, k, v) : 0;
            if (parent != v)
                sum[(size_t)parent * n + k] += sum[(size_t)v * n + k];
        }
    }
    return sum;
}

static void put_figures(const struct sca_export *e, uint32_t v, uint32_t n, const double *inclusive)
{
    for (uint32_t k = 0; k < n; k++) {
        char name[300];
        const char *metric = k ? e->r->metrics[k - 1].name : "time";
        if (!has_figure(e, k))
            continue;
        fputs(k ? "," : "", e->out);
        sca_export_string(e, metric);
        fprintf(e->out, ":%.9g,", figure(e, k, v));
        snprintf(name, sizeof name, "%s (inc)", metric);
        sca_export_string(e, name);
        fprintf(e->out, ":%.9g", inclusive[(size_t)v * n + k]);
    }
}

/* File and line belong to the frame: whatever is among the metrics Hatchet adds up. */
static void put_hatchet_node(const struct sca_export *e, uint32_t v, uint32_t n,
                             const double *inclusive)
{
    const struct sca_report_vertex *vertex = &e->r->vertices[v];
    fputs("{\"frame\":{\"name\":", e->out);
    sca_export_string(e, e->label[v]);
    fputs(",\"type\":", e->out);
    sca_export_string(e, vertex->kind);
    fputs(",\"file\":", e->out);
    sca_export_string(e, vertex->file);
    fprintf(e->out, ",\"line\":%u},\"metrics\":{", vertex->line);
    put_figures(e, v, n, inclusive);
    fputs("}", e->out);
}

static void put_hatchet_nodes(const struct sca_export *e, uint32_t n, const double *inclusive)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < e->outline.n; i++) {
        uint32_t v = e->outline.order[i], next = e->outline.depth[v];
        if (i && next > depth)
            fputs(",\"children\":[\n", e->out);
        for (uint32_t d = depth; i && d > next; d--)
            fputs("}]", e->out);
        if (i && next <= depth)
            fputs("},\n", e->out);
        put_hatchet_node(e, v, n, inclusive);
        depth = next;
    }
    for (uint32_t d = depth; e->outline.n && d > 0; d--)
        fputs("}]", e->out);
}

int sca_trees_write_hatchet(const struct sca_export *e)
{
    uint32_t n = e->r->nmetrics + 1;
    double *inclusive = inclusive_figures(e, n);
    if (!inclusive)
        return sca_fail(SCA_ENOMEM, "out of memory for %u vertices", e->outline.n);
    fputs("[", e->out);
    put_hatchet_nodes(e, n, inclusive);
    fputs(e->outline.n ? "}]\n" : "]\n", e->out);
    free(inclusive);
    return SCA_OK;
}

/* Seconds of time, then the metrics; null: the report does not tell it of this rank. Nothing is
 * written of a rank that has none of them. */
static bool put_caliper_row(const struct sca_export *e, uint32_t place, uint32_t rank, bool first)
{
    uint32_t v = e->outline.order[place];
    double seconds = sca_outline_rank_s(&e->outline, v, rank);
    bool any = seconds > 0;
    for (uint32_t i = 0; i < e->r->nmetrics && !any; i++)
        any = sca_export_adds_up(&e->r->metrics[i]) &&
              sca_export_value(e, &e->r->metrics[i], v, rank) != 0;
    if (!any)
        return false;
    fprintf(e->out, "%s[%u,%.9g", first ? "" : ",\n", rank, seconds);
    for (uint32_t i = 0; i < e->r->nmetrics; i++) {
        if (!sca_export_adds_up(&e->r->metrics[i]))
            continue;
        double value = sca_export_value(e, &e->r->metrics[i], v, rank);
        if (isnan(value))
            fputs(",null", e->out);
        else
            fprintf(e->out, ",%.9g", value);
    }
    fprintf(e->out, ",%u]", place);
    return true;
}

static void put_caliper_rows(const struct sca_export *e)
{
    bool first = true;
    for (uint32_t i = 0; i < e->outline.n; i++)
        for (uint32_t rank = 0; rank < e->nranks; rank++)
            first = !put_caliper_row(e, i, rank, first) && first;
}

static void put_caliper_columns(const struct sca_export *e)
{
    fputs("\"columns\":[\"mpi.rank\",\"sum#time.duration\"", e->out);
    for (uint32_t i = 0; i < e->r->nmetrics; i++)
        if (sca_export_adds_up(&e->r->metrics[i])) {
            char name[300];
            snprintf(name, sizeof name, "sum#%s", e->r->metrics[i].name);
            fputs(",", e->out);
            sca_export_string(e, name);
        }
    fputs(",\"path\"],\n\"column_metadata\":[{\"is_value\":true},{\"is_value\":true}", e->out);
    for (uint32_t i = 0; i < e->r->nmetrics; i++)
        if (sca_export_adds_up(&e->r->metrics[i])) {
            fputs(",{\"is_value\":true,\"attribute.unit\":", e->out);
            sca_export_string(e, e->r->metrics[i].unit);
            fputs("}", e->out);
        }
    fputs(",{\"is_value\":false}],\n", e->out);
}

static void put_caliper_nodes(const struct sca_export *e)
{
    for (uint32_t i = 0; i < e->outline.n; i++) {
        uint32_t v = e->outline.order[i], parent = e->r->vertices[v].parent;
        fprintf(e->out, "%s{\"label\":", i ? ",\n" : "");
        sca_export_string(e, e->label[v]);
        fputs(",\"column\":\"path\"", e->out);
        if (parent != v)
            fprintf(e->out, ",\"parent\":%u", e->outline.place[parent]);
        fputs("}", e->out);
    }
}

int sca_trees_write_caliper(const struct sca_export *e)
{
    fputs("{\"data\":[", e->out);
    put_caliper_rows(e);
    fputs("],\n", e->out);
    put_caliper_columns(e);
    fputs("\"nodes\":[", e->out);
    put_caliper_nodes(e);
    fputs("]}\n", e->out);
    return SCA_OK;
}
