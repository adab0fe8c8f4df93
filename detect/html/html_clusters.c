/* Clusters of similar iterations with what they take where, and the phases that the program names:
 * tables. */
#include "html/html_parts.h"

#include <math.h>

enum { MOST_CLUSTERS = 12, MOST_PROFILES = 6, MOST_CONTEXTS = 12 };

const char *sca_html_duration(char text[32], double seconds)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    while (unit < 3 && seconds > 0 && seconds < 1) {
        seconds *= 1000;
        unit++;
    }
    snprintf(text, 32, "%.3g %s", seconds, units[unit]);
    return text;
}

static void put_share(const struct sca_html *h, double share)
{
    char text[32];
    fputs("<td class=\"n\">", h->out);
    sca_html_say(h, "%s", isnan(share) ? "n/a" : sca_html_percent(text, share));
    fputs("</td>", h->out);
}

static void put_seconds(const struct sca_html *h, double seconds)
{
    char text[32];
    fputs("<td class=\"n\">", h->out);
    sca_html_say(h, "%s", sca_html_duration(text, seconds));
    fputs("</td>", h->out);
}

static void put_contexts(const struct sca_html *h, const struct sca_report_series_cluster *c,
                         uint32_t number)
{
    fprintf(h->out, "<details><summary>");
    sca_html_say(h, "Cluster %c: what an iteration takes where", 'A' + (int)number);
    fputs("</summary>", h->out);
    sca_html_table(h, "Recorded iterations, alone, not below",
                   "Place|#Outside MPI|#Slowest rank|#Waits|#Calls", false);
    for (uint32_t i = 0; i < c->ncontexts && i < MOST_CONTEXTS; i++) {
        const struct sca_report_series_context *at = &c->contexts[i];
        fputs("<tr><td>", h->out);
        sca_html_row_name(h, &h->r->vertices[at->vertex]);
        fputs("</td>", h->out);
        put_seconds(h, at->own_s);
        put_seconds(h, at->own_max_s);
        put_seconds(h, at->wait_s);
        sca_html_number(h, "%.3g", at->calls);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
    fputs("</details>\n", h->out);
}

static void put_count(const struct sca_html *h, double events)
{
    if (isnan(events))
        fputs("<td class=\"n\">n/a</td>", h->out);
    else
        sca_html_number(h, "%.5g", events);
}

/* One row for each cluster and counter. */
static void put_events(const struct sca_html *h, const struct sca_report_series_loop *loop)
{
    if (!loop->nclusters || !loop->clusters->nevents)
        return;
    sca_html_table(h, "Events of one iteration, in all places: of the thread that called MPI_Init",
                   "Cluster|Event|#Mean|#Rank with most|#Least|#Most|#Iterations counted", false);
    for (uint32_t i = 0; i < loop->nclusters && i < MOST_CLUSTERS; i++)
        for (uint32_t k = 0; k < loop->clusters[i].nevents; k++) {
            const struct sca_report_series_events *e = &loop->clusters[i].events[k];
            fprintf(h->out, "<tr><td>%c</td><td>", 'A' + (int)i);
            sca_html_text(h, e->event);
            fputs("</td>", h->out);
            put_count(h, e->mean);
            put_count(h, e->max);
            put_count(h, e->least);
            put_count(h, e->most);
            sca_html_number(h, "%.0f", e->iterations);
            fputs("</tr>\n", h->out);
        }
    sca_html_table_end(h);
}

void sca_html_clusters(const struct sca_html *h, const struct sca_report_series_loop *loop)
{
    sca_html_table(h, "Clusters of similar iterations, means of one",
                   "Cluster|#Iterations|#The first|#Outside MPI|#In MPI|#Parallel|#Load "
                   "balance|#Serialisation|#Transfer|#Recorded",
                   false);
    for (uint32_t i = 0; i < loop->nclusters && i < MOST_CLUSTERS; i++) {
        const struct sca_report_series_cluster *c = &loop->clusters[i];
        fprintf(h->out, "<tr><td>%c</td>", 'A' + (int)i);
        sca_html_number(h, "%.0f", c->iterations);
        sca_html_number(h, "%.0f", c->first_iteration);
        put_seconds(h, c->own_s);
        put_seconds(h, c->mpi_s);
        put_share(h, c->parallel);
        put_share(h, c->load_balance);
        put_share(h, c->serialisation);
        put_share(h, c->transfer);
        sca_html_number(h, "%.0f", c->recorded);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
    for (uint32_t i = 0; i < loop->nclusters && i < MOST_PROFILES; i++)
        if (loop->clusters[i].ncontexts)
            put_contexts(h, &loop->clusters[i], i);
    put_events(h, loop);
}

/* "whole / refine". */
static void put_name(const struct sca_html *h, uint32_t i)
{
    const struct sca_report_series_phase *p = &h->r->series.phases[i];
    if (p->parent != UINT32_MAX) {
        put_name(h, p->parent);
        fputs(" / ", h->out);
    }
    sca_html_text(h, p->name);
}

void sca_html_phases(const struct sca_html *h)
{
    const struct sca_report_series *s = &h->r->series;
    if (!s->nphases)
        return;
    sca_html_table(h, "Phases that the program names, with what lies in them",
                   "Phase|#Times|#Took|#Outside MPI|#In MPI|#Parallel|#Load "
                   "balance|#Serialisation|#Transfer|#Recorded",
                   false);
    for (uint32_t i = 0; i < s->nphases; i++) {
        const struct sca_report_series_phase *p = &s->phases[i];
        fputs("<tr><td>", h->out);
        put_name(h, i);
        fputs("</td>", h->out);
        sca_html_number(h, "%.0f", p->count);
        put_seconds(h, p->span_s);
        put_seconds(h, p->own_mean_s);
        put_seconds(h, p->mpi_mean_s);
        put_share(h, p->parallel);
        put_share(h, p->load_balance);
        put_share(h, p->serialisation);
        put_share(h, p->transfer);
        sca_html_number(h, "%.0f", p->recorded);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
}
