/* The explorer's place in the page. What it shows is made by script from the data beside it. */
#include "html/html_explorer.h"

#include <string.h>

void sca_html_explorer_link(const struct sca_html *h, const struct sca_report_cause *c)
{
    const struct sca_report_vertex *v = &h->r->vertices[c->vertex];
    const char *metric = !strcmp(v->kind, "mpi") ? "mpi_time" : "computation";
    const struct sca_report_metric *delay = sca_report_metric_find(h->r, "delay_cost");
    for (uint32_t i = 0; delay && i < delay->nrows; i++)
        if (delay->rows[i].vertex == c->vertex)
            metric = "delay_cost";
    fprintf(h->out,
            "<a class=\"explore\" href=\"#explorer\" data-vertex=\"%u\" data-metric=\"%s\">",
            c->vertex, metric);
}

int sca_html_explorer(const struct sca_html *h)
{
    fputs(
        "<section id=\"explorer\" aria-labelledby=\"h-explorer\"><h2 "
        "id=\"h-explorer\">Explorer</h2>\n<noscript><p>The explorer needs JavaScript, which is "
        "disabled here. The rest of this page does not.</p></noscript>\n<div id=\"explorer-panes\" "
        "hidden></div>\n<script type=\"application/json\" id=\"explorer-data\">",
        h->out);
    int status = sca_html_explorer_data(h);
    fputs("</script>\n</section>\n", h->out);
    return status;
}
