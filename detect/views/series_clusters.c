/* The clusters of --view=series: means of one iteration, where they lie, and what recorded ones
 * take in which contexts. */
#include "views/series.h"

#include <math.h>
#include <string.h>

enum {
    CLUSTERS_SHOWN = 8,
    CLUSTERS_PROFILED = 4,
    CONTEXTS_SHOWN = 4,
    PLACE = 48,
    PLACES = 6 /* characters */
};

static uint64_t first_of(const struct sca_series_point *p)
{
    return p->number - p->iterations + 1;
}

static void phrase_place(char text[PLACE], const struct sca_series_lines *l, uint32_t from,
                         uint32_t to)
{
    unsigned long long first = first_of(&l->points[from]), last = l->points[to].number;
    if (first == last)
        snprintf(text, PLACE, "%llu", first);
    else
        snprintf(text, PLACE, "%llu-%llu", first, last);
}

/* "1-15, 17-31 and 20 more", as far as the line has room. */
static void put_places(FILE *out, const struct sca_series_lines *l, uint32_t k)
{
    char place[PLACE];
    size_t used = 0;
    uint32_t more = 0, n = l->section->npoints;
    for (uint32_t i = 0, to; i < n; i = to + 1) {
        for (to = i; to + 1 < n && l->clusters.of[to + 1] == l->clusters.of[i]; to++)
            ;
        if (l->clusters.of[i] != k)
            continue;
        phrase_place(place, l, i, to);
        if (more || (used && used + strlen(place) > PLACES))
            more++;
        else
            used += (size_t)fprintf(out, "%s%s", used ? ", " : "", place);
    }
    fprintf(out, more ? " and %u more\n" : "\n", more);
}

void sca_series_put_share(FILE *out, double share)
{
    if (isnan(share))
        fprintf(out, "%9s", "n/a");
    else
        fprintf(out, "%7.1f %%", 100 * share);
}

static void put_cluster(FILE *out, const struct sca_series_lines *l, uint32_t k)
{
    const struct sca_series_cluster *c = &l->clusters.cluster[k];
    char own[SCA_FIGURE], mpi[SCA_FIGURE];
    sca_series_seconds(own, c->own);
    sca_series_seconds(mpi, c->mpi);
    fprintf(out, "  %-7c %7llu %8s", (char)('A' + k), (unsigned long long)c->iterations, own);
    if (!l->shared)
        fprintf(out, " %8s", mpi);
    struct sca_part_efficiency e = sca_cluster_efficiency(c, l->shared, &l->recorded[k]);
    sca_series_put_share(out, e.parallel);
    sca_series_put_share(out, e.load_balance);
    sca_series_put_share(out, e.serialisation);
    sca_series_put_share(out, e.transfer);
    fputs("  ", out);
    put_places(out, l, k);
}

static void put_clusters(FILE *out, const struct sca_series_lines *l)
{
    fprintf(out, "\n  %-7s %7s %8s%s %8s %8s %8s %8s  %s\n", "cluster", "times", "own",
            l->shared ? "" : "   in MPI", "parallel", "balance", "serial.", "transfer", "where");
    for (uint32_t k = 0; k < l->clusters.n && k < CLUSTERS_SHOWN; k++)
        put_cluster(out, l, k);
    if (l->clusters.n > CLUSTERS_SHOWN)
        fprintf(out, "  %u more clusters (JSON has all)\n", l->clusters.n - CLUSTERS_SHOWN);
}

/* ---- contexts ---- */

static void put_context(const struct sca_page *page, const struct sca_recorded_point *sum,
                        const struct sca_recorded_context *c, const char *place)
{
    char own[SCA_FIGURE], most[SCA_FIGURE], wait[SCA_FIGURE];
    double n = sum->iterations;
    sca_series_seconds(own, c->own / n);
    sca_series_seconds(most, c->own_max / n);
    sca_series_seconds(wait, c->wait / n);
    if (c->own > 0)
        fprintf(page->out, "    %8s %8s %8s  %s\n", own, most, "", place);
    else
        fprintf(page->out, "    %8s %8s %8s  %s\n", "", "", wait, place);
}

static void put_profile(const struct sca_page *page, const struct sca_series_lines *l, uint32_t k)
{
    const struct sca_recorded_point *sum = &l->recorded[k];
    if (!sum->ncontexts)
        return;
    fprintf(page->out, "  %c, by %.0f recorded iteration%s\n", (char)('A' + k),
            fmax(1, sum->iterations), sum->iterations <= 1 ? "" : "s");
    for (uint32_t i = 0; i < sum->ncontexts && i < CONTEXTS_SHOWN; i++)
        put_context(page, sum, &sum->contexts[i], l->places[k][i]);
}

static void put_profiles(const struct sca_page *page, const struct sca_series_lines *l)
{
    bool some = false;
    for (uint32_t k = 0; k < l->clusters.n && k < CLUSTERS_PROFILED; k++) {
        if (l->recorded[k].ncontexts && !some)
            fprintf(page->out, "\n  %s\n    %8s %8s %8s  %s\n",
                    "What one iteration takes, alone, not below", "own", "max", "waits", "where");
        some |= l->recorded[k].ncontexts > 0;
        put_profile(page, l, k);
    }
}

/* ---- events ---- */

static void put_figure(FILE *out, double events)
{
    char text[SCA_FIGURE];
    fprintf(out, " %8s", isnan(events) ? "n/a" : sca_table_figure(text, events));
}

static void put_events_of(FILE *out, const struct sca_series_lines *l, uint32_t k)
{
    const struct sca_series_cluster *c = &l->clusters.cluster[k];
    for (uint32_t i = 0; i < l->profile->nmetrics; i++) {
        const struct sca_cluster_events *e = &c->events[i];
        fprintf(out, "  %-7c", (char)('A' + k));
        put_figure(out, e->mean);
        put_figure(out, e->max);
        put_figure(out, e->least);
        put_figure(out, e->most);
        fprintf(out, " %8llu  %s\n", (unsigned long long)e->iterations, l->profile->metrics[i]);
    }
}

/* Counted exactly, so there is no place for them but the iteration. */
static void put_events(FILE *out, const struct sca_series_lines *l)
{
    if (!l->profile->nmetrics)
        return;
    fprintf(out, "\n  %s\n  %-7s %8s %8s %8s %8s %8s\n",
            "Events of one iteration, in all places: of the thread that called MPI_Init", "cluster",
            "mean", "max rank", "least", "most", "counted");
    for (uint32_t k = 0; k < l->clusters.n && k < CLUSTERS_SHOWN; k++)
        put_events_of(out, l, k);
}

void sca_series_draw_clusters(const struct sca_page *page, const struct sca_series_lines *lines)
{
    put_clusters(page->out, lines);
    put_profiles(page, lines);
    put_events(page->out, lines);
}
