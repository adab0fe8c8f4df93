/* Formats that are trees: Hatchet's literal and Caliper's json-split. */
#include "export/formats.h"
#include "sca_error.h"

#include <stdlib.h>

static double own(const struct sca_export *e, uint32_t v)
{
    return e->r->nruns ? sca_outline_run_s(&e->outline, v, e->r->nruns - 1) : 0;
}

/* Own times, then each added to its parent from the end of the program order. NULL: no memory. */
static double *inclusive_times(const struct sca_export *e)
{
    double *sum = calloc(e->outline.n + (size_t)1, sizeof *sum);
    for (uint32_t i = e->outline.n; sum && i-- > 0;) {
        uint32_t v = e->outline.order[i], parent = e->r->vertices[v].parent;
        sum[v] += own(e, v);
        if (parent != v)
            sum[parent] += sum[v];
    }
    return sum;
}

/* File and line belong to the frame: whatever is among the metrics Hatchet adds up. */
static void put_hatchet_node(const struct sca_export *e, uint32_t v, double inclusive)
{
    const struct sca_report_vertex *vertex = &e->r->vertices[v];
    fputs("{\"frame\":{\"name\":", e->out);
    sca_export_string(e, e->label[v]);
    fputs(",\"type\":", e->out);
    sca_export_string(e, vertex->kind);
    fputs(",\"file\":", e->out);
    sca_export_string(e, vertex->file);
    fprintf(e->out, ",\"line\":%u},\"metrics\":{\"time\":%.9g,\"time (inc)\":%.9g}", vertex->line,
            own(e, v), inclusive);
}

int sca_trees_write_hatchet(const struct sca_export *e)
{
    double *inclusive = inclusive_times(e);
    uint32_t depth = 0;
    if (!inclusive)
        return sca_fail(SCA_ENOMEM, "out of memory for %u vertices", e->outline.n);
    fputs("[", e->out);
    for (uint32_t i = 0; i < e->outline.n; i++) {
        uint32_t v = e->outline.order[i], next = e->outline.depth[v];
        if (i && next > depth)
            fputs(",\"children\":[\n", e->out);
        for (uint32_t d = depth; i && d > next; d--)
            fputs("}]", e->out);
        if (i && next <= depth)
            fputs("},\n", e->out);
        put_hatchet_node(e, v, inclusive[v]);
        depth = next;
    }
    for (uint32_t d = depth; e->outline.n && d > 0; d--)
        fputs("}]", e->out);
    fputs(e->outline.n ? "}]\n" : "]\n", e->out);
    free(inclusive);
    return SCA_OK;
}

static void put_caliper_rows(const struct sca_export *e)
{
    bool first = true;
    for (uint32_t i = 0; i < e->outline.n; i++)
        for (uint32_t rank = 0; rank < e->nranks; rank++) {
            double seconds = sca_outline_rank_s(&e->outline, e->outline.order[i], rank);
            if (seconds > 0) {
                fprintf(e->out, "%s[%u,%.9g,%u]", first ? "" : ",\n", rank, seconds, i);
                first = false;
            }
        }
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
    fputs("],\n\"columns\":[\"mpi.rank\",\"sum#time.duration\",\"path\"],\n"
          "\"column_metadata\":[{\"is_value\":true},{\"is_value\":true},{\"is_value\":false}],\n"
          "\"nodes\":[",
          e->out);
    put_caliper_nodes(e);
    fputs("]}\n", e->out);
    return SCA_OK;
}
