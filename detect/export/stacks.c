/* Formats that are lists of call stacks: Extra-P, folded, speedscope. */
#include "export/formats.h"
#include "sca_error.h"

#include <math.h>
#include <string.h>

/* In a call path "->" separates frames, so that a frame may not contain it. */
static void put_extrap_frame(FILE *out, const char *p)
{
    for (; *p; p++) {
        if (p[0] == '-' && p[1] == '>') {
            fputs("\xe2\x86\x92", out);
            p++;
        } else {
            fprintf(out, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
        }
    }
}

static void put_extrap_line(const struct sca_export *e, uint32_t v, uint32_t run)
{
    uint32_t ranks = e->r->runs[run].ranks;
    double mean = ranks ? sca_outline_run_s(&e->outline, v, run) / ranks : 0;
    fprintf(e->out, "{\"params\":{\"p\":%u},\"callpath\":\"", ranks);
    for (uint32_t d = 0; d <= e->outline.depth[v]; d++) {
        fputs(d ? "->" : "", e->out);
        put_extrap_frame(e->out, e->label[e->path[d]]);
    }
    fprintf(e->out, "\",\"metric\":\"time\",\"value\":%.9g}\n", mean);
}

int sca_stacks_write_extrap(const struct sca_export *e)
{
    for (uint32_t i = 0; i < e->outline.n; i++) {
        uint32_t v = sca_export_enter(e, i);
        for (uint32_t run = 0; run < e->r->nruns; run++)
            put_extrap_line(e, v, run);
    }
    return SCA_OK;
}

static bool is_seconds(const struct sca_export *e)
{
    return !e->metric || !strcmp(e->metric->unit, "s");
}

/* Of all ranks: microseconds, or what else the metric counts. */
static double folded_count(const struct sca_export *e, uint32_t v)
{
    double value = e->metric ? sca_export_sum(e, e->metric, v)
                             : sca_outline_run_s(&e->outline, v, e->r->nruns - 1);
    return round(is_seconds(e) ? 1e6 * value : value);
}

/* A stack has a count above 0: what is signed, and less, is left out. */
int sca_stacks_write_folded(const struct sca_export *e)
{
    for (uint32_t i = 0; i < e->outline.n && e->r->nruns; i++) {
        uint32_t v = sca_export_enter(e, i);
        double count = folded_count(e, v);
        if (count < 1)
            continue;
        sca_export_stack(e, v, ";", ";", ",");
        fprintf(e->out, " %.0f\n", count);
    }
    return SCA_OK;
}

static void put_frames(const struct sca_export *e)
{
    for (uint32_t i = 0; i < e->outline.n; i++) {
        const struct sca_report_vertex *v = &e->r->vertices[i];
        fprintf(e->out, "%s{\"name\":", i ? ",\n" : "");
        sca_export_string(e, e->label[i]);
        if (v->file[0]) {
            fputs(",\"file\":", e->out);
            sca_export_string(e, v->file);
        }
        if (v->line)
            fprintf(e->out, ",\"line\":%u", v->line);
        fputs("}", e->out);
    }
}

static void put_stack(const struct sca_export *e, uint32_t v, bool first)
{
    fputs(first ? "[" : ",[", e->out);
    for (uint32_t d = 0; d <= e->outline.depth[v]; d++)
        fprintf(e->out, "%s%u", d ? "," : "", e->path[d]);
    fputs("]", e->out);
}

/* Seconds are written in nanoseconds, and all else whole, so that weights add up to endValue
 * exactly. */
static double weight_of(const struct sca_export *e, uint32_t v, uint32_t rank)
{
    double value = e->metric ? sca_export_value(e, e->metric, v, rank)
                             : sca_outline_rank_s(&e->outline, v, rank);
    return fmax(0, round(is_seconds(e) ? 1e9 * value : value));
}

static const char *unit_of(const struct sca_export *e)
{
    if (is_seconds(e))
        return "nanoseconds";
    return strcmp(e->metric->unit, "bytes") ? "none" : "bytes";
}

static void put_samples(const struct sca_export *e, uint32_t rank)
{
    bool first = true;
    for (uint32_t i = 0; i < e->outline.n; i++) {
        uint32_t v = sca_export_enter(e, i);
        if (weight_of(e, v, rank) > 0) {
            put_stack(e, v, first);
            first = false;
        }
    }
}

static void put_weights(const struct sca_export *e, uint32_t rank)
{
    bool first = true;
    for (uint32_t i = 0; i < e->outline.n; i++) {
        double weight = weight_of(e, e->outline.order[i], rank);
        if (weight > 0) {
            fprintf(e->out, first ? "%.0f" : ",%.0f", weight);
            first = false;
        }
    }
}

static void put_profile(const struct sca_export *e, uint32_t rank)
{
    double sum = 0;
    for (uint32_t i = 0; i < e->outline.n; i++)
        sum += weight_of(e, i, rank);
    fprintf(e->out,
            "%s{\"type\":\"sampled\",\"name\":\"rank %u\",\"unit\":\"%s\","
            "\"startValue\":0,\"endValue\":%.0f,\n\"samples\":[",
            rank ? ",\n" : "", rank, unit_of(e), sum);
    put_samples(e, rank);
    fputs("],\n\"weights\":[", e->out);
    put_weights(e, rank);
    fputs("]}", e->out);
}

/* "cg", or "cg: waiting". */
static void put_title(const struct sca_export *e)
{
    char title[512];
    snprintf(title, sizeof title, "%s%s%s", e->r->program, e->metric ? ": " : "",
             e->metric ? e->metric->name : "");
    sca_export_string(e, title);
}

int sca_stacks_write_speedscope(const struct sca_export *e)
{
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"name\":",
          e->out);
    put_title(e);
    fputs(",\"exporter\":\"scalana " SCA_VERSION "\",\"activeProfileIndex\":0,\n"
          "\"shared\":{\"frames\":[",
          e->out);
    put_frames(e);
    fputs("]},\n\"profiles\":[", e->out);
    for (uint32_t rank = 0; rank < e->nranks; rank++)
        put_profile(e, rank);
    fputs("]}\n", e->out);
    return SCA_OK;
}
