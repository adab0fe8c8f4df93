/* What each iteration of the main loops took, over the run: a curve, and what changes. */
#include "html/html_parts.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 170, LEFT = 70, RIGHT = 12, TOP = 8, BOTTOM = 22 };

struct series_curve {
    const struct sca_html *h;
    const struct sca_report_series_loop *loop;
    double top; /* seconds of an iteration */
};

static double of_iteration(const struct series_curve *c, int column, uint32_t i)
{
    return c->loop->points[column][i] / c->loop->points[SCA_SERIES_POINT_ITERATIONS][i];
}

static double first_of(const struct sca_report_series_loop *l, uint32_t i)
{
    return l->points[SCA_SERIES_LAST_ITERATION][i] - l->points[SCA_SERIES_POINT_ITERATIONS][i] + 1;
}

static double x_of(const struct series_curve *c, double iteration)
{
    double first = first_of(c->loop, 0);
    double last = c->loop->points[SCA_SERIES_LAST_ITERATION][c->loop->npoints - 1];
    return LEFT + (iteration - first) / fmax(last - first, 1) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct series_curve *c, double seconds)
{
    return TOP + (1 - seconds / c->top) * (HEIGHT - TOP - BOTTOM);
}

static void put_line(const struct series_curve *c, int column, const char *kind)
{
    fprintf(c->h->out, "<polyline class=\"series-%s\" points=\"", kind);
    for (uint32_t i = 0; i < c->loop->npoints; i++)
        fprintf(c->h->out, "%s%.1f,%.1f", i ? " " : "",
                x_of(c, c->loop->points[SCA_SERIES_LAST_ITERATION][i]),
                y_of(c, of_iteration(c, column, i)));
    fputs("\"/>", c->h->out);
}

static void put_axes(const struct series_curve *c)
{
    char text[32];
    const struct sca_report_series_loop *l = c->loop;
    fprintf(c->h->out,
            "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>",
            LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, LEFT - 6, TOP + 8,
            sca_html_duration(text, c->top), LEFT - 6, HEIGHT - BOTTOM);
    fprintf(c->h->out,
            "<text data-end=\"0\" x=\"%d\" y=\"%d\">iteration %.0f</text>"
            "<text data-end=\"1\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f</text>",
            LEFT, HEIGHT - 6, first_of(l, 0), WIDTH - RIGHT, HEIGHT - 6,
            l->points[SCA_SERIES_LAST_ITERATION][l->npoints - 1]);
}

static void put_steps(const struct series_curve *c)
{
    for (uint32_t i = 0; i < c->loop->nchanges; i++)
        if (isnan(c->loop->changes[i].last_iteration))
            fprintf(c->h->out,
                    "<line class=\"series-step\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
                    x_of(c, c->loop->changes[i].first_iteration), TOP,
                    x_of(c, c->loop->changes[i].first_iteration), HEIGHT - BOTTOM);
}

static void put_curve(const struct sca_html *h, const struct sca_report_series_loop *loop)
{
    struct series_curve c = {h, loop, 1e-9};
    bool mpi = !h->r->series.shared_cores; /* else it is mostly scheduling */
    for (uint32_t i = 0; i < loop->npoints; i++)
        c.top = fmax(c.top, fmax(of_iteration(&c, SCA_SERIES_OWN_S + 2, i),
                                 mpi ? of_iteration(&c, SCA_SERIES_MPI_S + 1, i) : 0));
    fprintf(h->out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Curve\">"
            "<svg class=\"series\" data-left=\"%d\" data-right=\"%d\" viewBox=\"0 0 %d %d\" "
            "role=\"img\" aria-label=\"Seconds of an "
            "iteration over the run\">",
            LEFT, WIDTH - RIGHT, WIDTH, HEIGHT);
    put_axes(&c);
    put_steps(&c);
    if (mpi)
        put_line(&c, SCA_SERIES_MPI_S + 1, "mpi");
    put_line(&c, SCA_SERIES_OWN_S + 2, "most");
    put_line(&c, SCA_SERIES_OWN_S + 1, "own");
    fputs("</svg></div>\n<ul class=\"legend\"><li><span class=\"line series-own\"></span>outside "
          "MPI, "
          "median rank</li><li><span class=\"line series-most\"></span>outside MPI, slowest "
          "rank</li>",
          h->out);
    fputs(mpi ? "<li><span class=\"line series-mpi\"></span>in MPI, median rank</li></ul>\n"
              : "</ul>\n",
          h->out);
}

/* What recurs may do so on the slowest rank alone. */
static const char *subject_of(const struct sca_report_series_change *c)
{
    bool is_slowest = !strcmp(c->change, "period") || !strcmp(c->change, "rotates");
    return is_slowest ? "The slowest rank" : "All ranks";
}

static void put_changes(const struct sca_html *h, const struct sca_report_series_loop *loop)
{
    if (!loop->nchanges)
        return;
    fputs("<ul>", h->out);
    for (uint32_t i = 0; i < loop->nchanges; i++) {
        const struct sca_report_series_change *c = &loop->changes[i];
        fputs("<li>", h->out);
        if (!c->nranks)
            fputs(subject_of(c), h->out);
        for (uint32_t k = 0; k < c->nranks && k < 8; k++)
            sca_html_say(h, k ? ", %u" : c->nranks == 1 ? "Rank %u" : "Ranks %u", c->ranks[k]);
        if (c->nranks > 8)
            sca_html_say(h, " and %u more", c->nranks - 8);
        sca_html_say(h, ": %.2gx %s", c->ratio, c->acts);
        fputs("</li>", h->out);
    }
    fputs("</ul>\n", h->out);
}

void sca_html_series(const struct sca_html *h)
{
    const struct sca_report_series *s = &h->r->series;
    if (!s->nloops && !s->nphases)
        return;
    fputs("<section id=\"series\" aria-labelledby=\"h-series\"><h2 id=\"h-series\">Over time</h2>\n"
          "<figure><figcaption>Seconds of an iteration of the main loop, over the run",
          h->out);
    if (h->r->nruns > 1)
        fprintf(h->out, " on %u ranks", h->nranks);
    fputs(".", h->out);
    if (s->shared_cores)
        fputs(" Ranks shared cores, or the machine was busy: time in MPI is mostly scheduling.",
              h->out);
    fputs("</figcaption>\n", h->out);
    for (uint32_t i = 0; i < s->nloops; i++)
        if (s->loops[i].npoints) {
            put_curve(h, &s->loops[i]);
            put_changes(h, &s->loops[i]);
            sca_html_clusters(h, &s->loops[i]);
        }
    sca_html_phases(h);
    sca_html_series_data(h);
    fputs("</figure></section>\n", h->out);
}
