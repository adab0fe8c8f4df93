/* Where ranks are, for the explorer: on which host, and where in a topology. */
#include "html/html_explorer.h"
#include "sca_part.h"

#include <string.h>

enum { MOST_NUMBERS = 200000 }; /* coordinates of all topologies */

static void put_hosts(const struct sca_html *h)
{
    fputs(",\n\"hosts\":[", h->out);
    for (uint32_t i = 0; i < h->run->nhosts; i++) {
        const struct sca_report_host *host = &h->run->hosts[i];
        fputs(i ? ",[" : "[", h->out);
        sca_html_json_text(h, host->name[0] ? host->name : host->address);
        putc(',', h->out);
        sca_html_json_ranks(h, host->ranks, host->nranks);
        putc(']', h->out);
    }
    putc(']', h->out);
}

/* Of a topology that the ranks stand in one after the other, counting tells the coordinates. */
static void put_coordinates(const struct sca_html *h, const struct sca_topology *t)
{
    if (sca_topology_is_row_major(t) && sca_topology_has_all(t))
        return;
    fputs(",\"coordinates\":[", h->out);
    for (uint32_t r = 0; r < t->nranks; r++) {
        const int32_t *place = sca_topology_place(t, r);
        fputs(r ? "," : "", h->out);
        if (!place) {
            fputs("null", h->out);
            continue;
        }
        for (uint32_t d = 0; d < t->ndims; d++)
            fprintf(h->out, "%s%d", d ? "," : "[", place[d]);
        putc(']', h->out);
    }
    putc(']', h->out);
}

static void put_topology(const struct sca_html *h, const struct sca_topology *t)
{
    fputs("{\"name\":", h->out);
    sca_html_json_text(h, t->name);
    fputs(",\"kind\":", h->out);
    sca_html_json_text(h, t->kind);
    fputs(",\"dims\":", h->out);
    sca_html_json_ranks(h, t->dims, t->ndims);
    fputs(",\"dimension_names\":[", h->out);
    for (uint32_t d = 0; d < t->ndims; d++) {
        fputs(d ? "," : "", h->out);
        sca_html_json_text(h, t->dimension_names[d]);
    }
    putc(']', h->out);
    put_coordinates(h, t);
    putc('}', h->out);
}

/* As far as there is room, and of ranks alone: the metrics of threads are not told. */
static void put_topologies(const struct sca_html *h)
{
    size_t used = 0;
    uint32_t n = 0, left_out = h->r->topologies_left_out;
    fputs(",\n\"topologies\":[", h->out);
    for (uint32_t i = 0; i < h->r->ntopologies; i++) {
        const struct sca_topology *t = &h->r->topologies[i];
        size_t needs = (size_t)t->nranks * t->ndims;
        if (t->nranks != h->nranks)
            continue;
        if (used + needs > MOST_NUMBERS) {
            left_out++;
            continue;
        }
        used += needs;
        fputs(n++ ? "," : "", h->out);
        put_topology(h, t);
    }
    fprintf(h->out, "],\"topologies_left_out\":%u", left_out);
}

/* A topology of a report that has but the one of most ranks. */
static void put_older_topology(const struct sca_html *h)
{
    const struct sca_report_topology *t = &h->run->topology;
    static const char *unnamed[SCA_MOST_DIMENSIONS];
    struct sca_topology as = {.name = "",
                              .kind = "cartesian",
                              .ndims = t->ndims,
                              .dims = t->dims,
                              .nranks = t->nranks,
                              .coordinates = t->places};
    fputs(",\n\"topologies\":[", h->out);
    if (t->kind && !strcmp(t->kind, "cart") && t->ndims && t->ndims <= SCA_MOST_DIMENSIONS) {
        for (uint32_t d = 0; d < t->ndims; d++)
            unnamed[d] = "";
        as.dimension_names = unnamed;
        put_topology(h, &as);
    }
    putc(']', h->out);
}

static void put_numbers(const struct sca_html *h, const char *name, bool package)
{
    fprintf(h->out, ",\n\"%s\":[", name);
    for (uint32_t r = 0; r < h->r->nlocations; r++) {
        const struct sca_location *at = &h->r->locations[r];
        fprintf(h->out, "%s%d", r ? "," : "", package ? at->package : at->core);
    }
    putc(']', h->out);
}

/* As the report has it, with fewer digits: "rows" are [vertex, [seconds, rank by rank]]. */
static void put_threads(const struct sca_html *h)
{
    enum { DIGITS = 5 };
    const struct sca_report_thread_times *t = &h->r->thread_times;
    if (!t->nrows)
        return;
    fprintf(h->out, ",\n\"threads\":{\"n\":%u,\"left_out\":%u,\"listed\":", t->nthreads,
            t->left_out);
    sca_html_json_ranks(h, t->listed, t->nlisted);
    fputs(",\"rows\":[", h->out);
    for (uint32_t i = 0; i < t->nrows; i++) {
        fprintf(h->out, "%s\n[%u,", i ? "," : "", t->rows[i].vertex);
        sca_html_json_numbers(h, t->rows[i].seconds, h->nranks * t->nlisted, DIGITS);
        putc(']', h->out);
    }
    fputs("]}", h->out);
}

void sca_html_explorer_places(const struct sca_html *h)
{
    put_hosts(h);
    put_numbers(h, "packages", true);
    put_numbers(h, "cores", false);
    put_threads(h);
    if (h->r->ntopologies)
        put_topologies(h);
    else
        put_older_topology(h);
}
