/* Time against ranks, both logarithmic, with the fitted power and its interval. */
#include "html/html_parts.h"
#include "sca_phrase.h"

#include <math.h>
#include <string.h>

enum { MOST_RUNS = 32, MOST_CURVES = 9, WIDTH = 340, HEIGHT = 240, LEFT = 56, RIGHT = 12 };
enum { TOP = 10, BOTTOM = 40 };

struct curve {
    const struct sca_report_nonscalable *growth; /* NULL: no fit */
    uint32_t n;
    double ranks[MOST_RUNS], seconds[MOST_RUNS], ideal[MOST_RUNS];
    double fit[MOST_RUNS], low[MOST_RUNS], high[MOST_RUNS]; /* only with growth */
    double x0, x1, y0, y1;                                  /* logarithms at the borders */
};

static bool is_shared(const struct sca_html *h)
{
    for (uint32_t i = 0; i < h->r->nruns; i++)
        if (h->r->runs[i].oversubscribed)
            return true;
    return false;
}

/* The fit's line and its steepest and flattest neighbours meet at the points' centre. */
static void set_fit(struct curve *c)
{
    double x = 0, y = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        x += log(c->ranks[i]) / c->n;
        y += log(c->seconds[i]) / c->n;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        double d = log(c->ranks[i]) - x;
        double a = c->growth->slope_ci[0] * d, b = c->growth->slope_ci[1] * d;
        c->fit[i] = exp(y + c->growth->slope * d);
        c->low[i] = exp(y + fmin(a, b));
        c->high[i] = exp(y + fmax(a, b));
    }
}

static void set_borders(struct curve *c)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        least = fmin(least, fmin(c->seconds[i], c->ideal[i]));
        most = fmax(most, fmax(c->seconds[i], c->ideal[i]));
    }
    c->x0 = log(c->ranks[0]);
    c->x1 = log(c->ranks[c->n - 1]);
    c->y0 = log(least) - 0.2;
    c->y1 = log(most) + 0.2;
    if (c->y1 - c->y0 < 1) {
        c->y0 -= 0.3;
        c->y1 += 0.3;
    }
}

/* As if each rank had a core, where the account is so. */
static double duration_of(const struct sca_report_run *run)
{
    return run->account.is_virtual ? run->account.duration_s : run->wall_s;
}

/* vertex NULL: the whole program. False where a logarithm has nothing to show. */
static bool set_curve(const struct sca_html *h, const struct sca_report_vertex *v, struct curve *c)
{
    uint32_t first = 0;
    *c = (struct curve){.growth = v ? sca_html_growth(h, v->id) : NULL};
    for (uint32_t i = 0; i < h->r->nruns && c->n < MOST_RUNS; i++) {
        const struct sca_report_run *run = &h->r->runs[i];
        double s = !run->ranks ? 0 : v ? sca_html_run_s(v, i) / run->ranks : duration_of(run);
        if (!(s > 0) || !isfinite(s) || (c->n && sca_report_places(h->r, i) == c->ranks[c->n - 1]))
            continue;
        first = c->n ? first : i;
        c->ranks[c->n] = sca_report_places(h->r, i);
        c->seconds[c->n] = s;
        c->ideal[c->n] = c->seconds[0] * sca_report_ideal(h->r, i) / sca_report_ideal(h->r, first);
        c->n++;
    }
    if (c->growth && !(fabs(c->growth->slope) < 20 && fabs(c->growth->slope_ci[0]) < 20 &&
                       fabs(c->growth->slope_ci[1]) < 20))
        c->growth = NULL;
    if (c->n < 2)
        return false;
    if (c->growth)
        set_fit(c);
    set_borders(c);
    return true;
}

static double at_x(const struct curve *c, double ranks)
{
    return LEFT + (log(ranks) - c->x0) / (c->x1 - c->x0) * (WIDTH - LEFT - RIGHT - 12) + 6;
}

static double at_y(const struct curve *c, double seconds)
{
    double y = fmin(fmax(log(seconds), c->y0), c->y1);
    return TOP + (c->y1 - y) / (c->y1 - c->y0) * (HEIGHT - TOP - BOTTOM);
}

static void put_axes(const struct sca_html *h, const struct curve *c)
{
    static const double steps[] = {1, 2, 5};
    bool wide = c->y1 - c->y0 > 5; /* more than two decades: powers of ten suffice */
    for (int e = (int)floor(c->y0 / log(10)); e <= (int)ceil(c->y1 / log(10)); e++)
        for (int k = 0; k < (wide ? 1 : 3); k++) {
            double value = steps[k] * pow(10, e);
            if (log(value) > c->y0 && log(value) < c->y1)
                fprintf(h->out,
                        "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"tick end\" x=\"%d\" "
                        "y=\"%.1f\">%.3g</text>",
                        LEFT, at_y(c, value), WIDTH - RIGHT, LEFT - 6, at_y(c, value) + 4, value);
        }
    for (uint32_t i = 0; i < c->n; i++)
        fprintf(h->out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\">%.0f</text>",
                at_x(c, c->ranks[i]), HEIGHT - BOTTOM + 16, c->ranks[i]);
    fprintf(h->out,
            "<path class=\"axis\" d=\"M%d %dV%dH%d\"/><text class=\"tick\" x=\"%d\" "
            "y=\"%d\">%s</text><text class=\"tick\" x=\"12\" y=\"%d\" transform=\"rotate(-90 "
            "12 %d)\">seconds per rank</text>",
            LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT, (LEFT + WIDTH) / 2, HEIGHT - 6,
            sca_report_by_threads(h->r) ? "threads per rank" : "ranks", (HEIGHT - BOTTOM) / 2,
            (HEIGHT - BOTTOM) / 2);
}

static void put_line(const struct sca_html *h, const struct curve *c, const char *name,
                     const double *values)
{
    fprintf(h->out, "<path class=\"%s\" d=\"", name);
    for (uint32_t i = 0; i < c->n; i++)
        fprintf(h->out, "%s%.1f %.1f", i ? "L" : "M", at_x(c, c->ranks[i]), at_y(c, values[i]));
    fputs("\"/>", h->out);
}

static void put_band(const struct sca_html *h, const struct curve *c)
{
    fputs("<path class=\"band\" d=\"", h->out);
    for (uint32_t i = 0; i < c->n; i++)
        fprintf(h->out, "%s%.1f %.1f", i ? "L" : "M", at_x(c, c->ranks[i]), at_y(c, c->high[i]));
    for (uint32_t i = c->n; i-- > 0;)
        fprintf(h->out, "L%.1f %.1f", at_x(c, c->ranks[i]), at_y(c, c->low[i]));
    fputs("z\"/>", h->out);
}

static void put_plot(const struct sca_html *h, const struct curve *c, unsigned id)
{
    fprintf(h->out,
            "<svg role=\"img\" aria-labelledby=\"t-curve-%u\" viewBox=\"0 0 %d %d\"><title "
            "id=\"t-curve-%u\">Seconds per rank against ranks, both logarithmic; the table has the "
            "numbers</title>",
            id, WIDTH, HEIGHT, id);
    put_axes(h, c);
    if (c->growth)
        put_band(h, c);
    put_line(h, c, "ideal", c->ideal);
    if (c->growth)
        put_line(h, c, "fit", c->fit);
    put_line(h, c, "measured", c->seconds);
    for (uint32_t i = 0; i < c->n; i++)
        fprintf(h->out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>",
                at_x(c, c->ranks[i]), at_y(c, c->seconds[i]));
    fputs("</svg>\n", h->out);
}

static void put_numbers(const struct sca_html *h, const struct curve *c)
{
    fputs("<details><summary>Numbers</summary>", h->out);
    sca_html_table(h, "Seconds per rank",
                   sca_report_by_threads(h->r) ? c->growth
                                                     ? "#Threads|#Measured|#Ideal|#Fit|#Low|#High"
                                                     : "#Threads|#Measured|#Ideal"
                   : c->growth                 ? "#Ranks|#Measured|#Ideal|#Fit|#Low|#High"
                                               : "#Ranks|#Measured|#Ideal",
                   false);
    for (uint32_t i = 0; i < c->n; i++) {
        const double *columns[] = {c->seconds, c->ideal, c->fit, c->low, c->high};
        fprintf(h->out, "<tr><th scope=\"row\" class=\"n\">%.0f</th>", c->ranks[i]);
        for (int k = 0; k < (c->growth ? 5 : 2); k++)
            sca_html_number(h, "%.4g", columns[k][i]);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
    fputs("</details>", h->out);
}

/* What becomes of it on more ranks, if it goes on like this. */
static void put_projections(const struct sca_html *h, const struct sca_report_nonscalable *g)
{
    char share[32], low[32], high[32];
    if (g && !g->nprojections)
        fprintf(h->out, "<p>Forecast: %s.</p>\n", sca_phrase_no_forecast);
    if (!g || !g->nprojections)
        return;
    fputs("<p>Forecast: ", h->out);
    for (uint32_t i = 0; i < g->nprojections; i++) {
        const struct sca_report_projection *p = &g->projections[i];
        fprintf(h->out, "%s%s of all time on %u ranks (%s to %s)", i ? ", " : "",
                sca_html_percent(share, p->share), p->ranks, sca_html_percent(low, p->share_ci[0]),
                sca_html_percent(high, p->share_ci[1]));
    }
    fputs(".</p>\n", h->out);
}

static bool put_curve(const struct sca_html *h, const struct sca_report_vertex *v, unsigned id)
{
    struct curve c;
    char thing[SCA_PHRASE];
    if (!set_curve(h, v, &c))
        return false;
    fputs("<figure><figcaption><b>", h->out);
    sca_html_short(h,
                   v              ? sca_html_thing(thing, v)
                   : is_shared(h) ? "whole program, assuming one core per rank"
                                  : "whole program, wall time",
                   90);
    fputs("</b>", h->out);
    if (c.growth)
        fprintf(h->out, ": P^%.2f (95 %%: %.2f to %.2f)", c.growth->slope, c.growth->slope_ci[0],
                c.growth->slope_ci[1]);
    fputs("</figcaption>\n", h->out);
    put_plot(h, &c, id);
    put_numbers(h, &c);
    put_projections(h, c.growth);
    fputs("</figure>\n", h->out);
    return true;
}

static bool is_new(const uint32_t *shown, unsigned n, uint32_t vertex)
{
    while (n-- > 0)
        if (shown[n] == vertex)
            return false;
    return true;
}

static void put_all(const struct sca_html *h)
{
    uint32_t shown[MOST_CURVES], vertex;
    unsigned n = 0, id = 1;
    put_curve(h, NULL, 0);
    for (uint32_t i = 0; i < h->r->ncauses + h->r->nnonscalable && n < MOST_CURVES; i++) {
        vertex = i < h->r->ncauses ? h->r->causes[i].vertex
                                   : h->r->nonscalable[i - h->r->ncauses].vertex;
        if (!is_new(shown, n, vertex))
            continue;
        shown[n++] = vertex;
        id += put_curve(h, &h->r->vertices[vertex], id);
    }
}

void sca_html_curves(const struct sca_html *h)
{
    fputs("<section id=\"curves\" aria-labelledby=\"h-curves\"><h2 id=\"h-curves\">Scaling</h2>\n",
          h->out);
    if (h->r->nruns < 2) {
        fputs("<p>A single run has no scaling curves. Give runs on several numbers of ranks.</p>\n",
              h->out);
    } else {
        fputs("<ul class=\"legend\"><li><span class=\"line measured\"></span>measured, mean over "
              "ranks</li><li><span class=\"line ideal\"></span>ideal</li>",
              h->out);
        if (h->r->nnonscalable)
            fputs("<li><span class=\"line fit\"></span>fit, with its 95 % interval</li>", h->out);
        fputs("</ul>\n<div class=\"curves\">", h->out);
        put_all(h);
        fputs("</div>\n", h->out);
    }
    fputs("</section>\n", h->out);
}
