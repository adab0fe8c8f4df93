/* Ranks by behaviour, what they do as a graph, and advice in addition to the causes. */
#include "html/html_parts.h"
#include "sca_phrase.h"

#include <math.h>

/* ---- classes ---- */

static void put_class(const struct sca_html *h, uint32_t number)
{
    const struct sca_report_class *k = &h->r->behaviour.classes[number];
    char text[SCA_PHRASE];
    fprintf(h->out, "<tr><td class=\"n\">%u</td>", number + 1);
    sca_html_cell(h, k->role);
    sca_html_cell(h, sca_phrase_ranks(text, h->run, k->ranks, k->nranks));
    fprintf(h->out, "<td class=\"n\">%u</td><td class=\"n\">%u</td>", k->nranks, k->most_peers);
    sca_html_number(h, "%.4g", k->own_mean_s);
    sca_html_number(h, "%.4g", k->own_least_s);
    sca_html_number(h, "%.4g", k->own_most_s);
    sca_html_number(h, "%.4g", k->mpi_mean_s);
    sca_html_number(h, "%.0f", k->calls);
    fprintf(h->out, "<td class=\"n\">%u</td></tr>\n", k->graph);
}

static void put_classes(const struct sca_html *h)
{
    const struct sca_report_behaviour *b = &h->r->behaviour;
    sca_html_table(h, "Classes of ranks; seconds are of a rank, on average",
                   "#Class|Role|Ranks|#Members|#Peers|#Computes|#Least|#Most|#In MPI|#MPI "
                   "calls|#Graph",
                   true);
    for (uint32_t i = 0; i < b->nclasses; i++)
        put_class(h, i);
    sca_html_table_end(h);
    if (b->nclasses_left_out)
        sca_html_say(h, "%u more classes: --view=classes has all.", b->nclasses_left_out);
}

static void put_leavers(const struct sca_html *h)
{
    const struct sca_report_behaviour *b = &h->r->behaviour;
    if (!b->nleavers)
        return;
    fputs("<ul>", h->out);
    for (uint32_t i = 0; i < b->nleavers; i++) {
        const struct sca_report_leaver *l = &b->leavers[i];
        fputs("<li>", h->out);
        sca_html_say(h,
                     "Rank %u left its class: from iteration %.0f on (second %.1f) it computes "
                     "%.2fx as long as most ranks with its graph, before %.2fx.",
                     l->rank, l->iteration, l->at_s, l->after, l->before);
        fputs("</li>\n", h->out);
    }
    fputs("</ul>\n", h->out);
}

/* ---- drawing ---- */

static void put_drawing(const struct sca_html *h)
{
    fputs("<p>", h->out);
    if (!h->r->drawing) {
        sca_html_say(h, "The graph is too large to be drawn here: --export=ptag:FILE.graphml has "
                        "it for yEd, igraph and networkx.");
        fputs("</p>\n", h->out);
        return;
    }
    sca_html_say(h,
                 "Task activity graph: a lane for the ranks with the same graph, a column for each "
                 "place in the program. Boxes are MPI calls, triangles entry and exit of loops, "
                 "lines computation. Point at a thing for its figures.");
    fputs("</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Task activity graph\">",
          h->out);
    fputs(h->r->drawing, h->out);
    fputs("</div>\n", h->out);
}

void sca_html_behaviour(const struct sca_html *h)
{
    if (!h->r->behaviour.nclasses)
        return;
    fputs("<section id=\"behaviour\" aria-labelledby=\"h-behaviour\"><h2 "
          "id=\"h-behaviour\">Ranks by behaviour</h2>\n",
          h->out);
    put_leavers(h);
    fputs("<figure>", h->out);
    put_classes(h);
    put_drawing(h);
    fputs("</figure></section>\n", h->out);
}

/* ---- advice ---- */

void sca_html_advice(const struct sca_html *h)
{
    char percent[32];
    if (!h->r->nadvice)
        return;
    fputs("<section id=\"advice\" aria-labelledby=\"h-advice\"><h2 id=\"h-advice\">Advice"
          "</h2>\n<p>",
          h->out);
    sca_html_say(
        h, "What may help in addition to the causes. None of this is a cause; gains are at most.");
    fputs("</p>\n<ul>", h->out);
    for (uint32_t i = 0; i < h->r->nadvice; i++) {
        const struct sca_report_advice *a = &h->r->advice[i];
        fputs("<li>", h->out);
        sca_html_say(h, "%s Up to %s (%.4g core-seconds), by %s.", a->text,
                     sca_html_percent(percent, a->gain_share), a->gain_core_s, a->estimate);
        fputs("</li>\n", h->out);
    }
    fputs("</ul></section>\n", h->out);
}
