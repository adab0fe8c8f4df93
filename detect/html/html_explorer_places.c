/* Where ranks are, for the explorer: on which host, and where in a topology. */
#include "html/html_explorer.h"

#include <string.h>

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

static void put_places(const struct sca_html *h, const struct sca_report_topology *t)
{
    fputs("],\"coordinates\":[", h->out);
    for (uint32_t r = 0; r < t->nranks; r++) {
        const int32_t *place = &t->places[(size_t)r * t->width];
        fputs(r ? "," : "", h->out);
        if (t->width == 0 || place[0] < 0) {
            fputs("null", h->out);
            continue;
        }
        for (uint32_t d = 0; d < t->width; d++)
            fprintf(h->out, "%s%d", d ? "," : "[", place[d]);
        putc(']', h->out);
    }
    fputs("]}", h->out);
}

/* Those that say where a rank stands; a graph tells neighbours, not places. */
static void put_topologies(const struct sca_html *h)
{
    const struct sca_report_topology *t = &h->run->topology;
    fputs(",\n\"topologies\":[", h->out);
    if (t->kind && !strcmp(t->kind, "cart") && t->ndims) {
        fputs("{\"name\":\"\",\"kind\":\"cartesian\",\"dims\":", h->out);
        sca_html_json_ranks(h, t->dims, t->ndims);
        fputs(",\"periodic\":[", h->out);
        for (uint32_t d = 0; d < t->ndims; d++)
            fprintf(h->out, "%s%s", d ? "," : "", t->periodic[d] ? "true" : "false");
        put_places(h, t);
    }
    putc(']', h->out);
}

void sca_html_explorer_places(const struct sca_html *h)
{
    put_hosts(h);
    put_topologies(h);
}
