/*
 * The performance graph as in the paper's figures 8 and 12: ranks across, program order down,
 * small points where all is well, circles where a rank is abnormal, all backtracking paths as thin
 * arrows, and those of the first causes as thick ones, from the symptom to the cause.
 */
#include "html/html_parts.h"
#include "sca_error.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 32, MOST_ROWS = 24, MOST_PATHS = 3, STEP = 28, HEAD = 34, PAGE = 1240 };

struct graph {
    const struct sca_html *h;
    uint32_t *rows, nrows;
    uint32_t ranks[MOST_RANKS], nranks;
    uint32_t npaths;
    uint32_t left; /* where the columns begin */
    uint32_t step; /* from one to the next: few are spread over the width */
};

/* Few columns take the width of the page, many scroll. */
static uint32_t spread(uint32_t left, uint32_t columns)
{
    uint32_t room = left < PAGE ? PAGE - left : 0;
    return columns && room / columns > STEP ? room / columns : STEP;
}

static int column_of(const struct graph *g, uint32_t rank)
{
    for (uint32_t i = 0; i < g->nranks; i++)
        if (g->ranks[i] == rank)
            return (int)i;
    return -1;
}

static int row_of(const struct graph *g, uint32_t vertex)
{
    for (uint32_t i = 0; i < g->nrows; i++)
        if (g->rows[i] == vertex)
            return (int)i;
    return -1;
}

static double at_x(const struct graph *g, int column)
{
    return g->left + g->step / 2.0 + column * (double)g->step;
}

static double at_y(int row)
{
    return HEAD + STEP / 2 + row * STEP;
}

static bool has(const uint32_t *ranks, uint32_t n, uint32_t rank)
{
    for (uint32_t i = 0; i < n; i++)
        if (ranks[i] == rank)
            return true;
    return false;
}

static bool is_abnormal(const struct sca_report *r, uint32_t vertex, uint32_t rank, uint32_t of)
{
    for (uint32_t i = 0; i < r->nabnormal; i++) {
        const struct sca_report_abnormal *a = &r->abnormal[i];
        if (a->vertex == vertex && a->ranks_of_run == of && has(a->ranks, a->nranks, rank))
            return true;
    }
    return false;
}

static bool is_cause(const struct graph *g, uint32_t vertex, uint32_t rank)
{
    for (uint32_t i = 0; i < g->h->r->ncauses && i < SCA_HTML_CARDS; i++) {
        const struct sca_report_cause *c = &g->h->r->causes[i];
        if (c->vertex == vertex && has(c->ranks, c->nranks, rank))
            return true;
    }
    return false;
}

static void put_frame(const struct graph *g)
{
    const struct sca_html *h = g->h;
    for (uint32_t i = 0; i < g->nranks; i++) {
        fprintf(h->out,
                "<text class=\"tick\" x=\"%.0f\" y=\"%d\">%u</text><path class=\"thread\" "
                "d=\"M%.0f %dV%.0f\"/>",
                at_x(g, (int)i), HEAD - 8, g->ranks[i], at_x(g, (int)i), HEAD,
                at_y((int)g->nrows - 1));
        if (i && g->ranks[i] != g->ranks[i - 1] + 1)
            fprintf(h->out, "<path class=\"gap\" d=\"M%.0f %dV%.0f\"/>",
                    at_x(g, (int)i) - g->step / 2.0, HEAD - 18, at_y((int)g->nrows - 1));
    }
    fprintf(h->out, "<text class=\"tick end\" x=\"%u\" y=\"%d\">rank</text>", g->left - 6,
            HEAD - 8);
    for (uint32_t k = 0; k < g->nrows; k++) {
        const struct sca_report_vertex *v = &h->r->vertices[g->rows[k]];
        fprintf(h->out, "<text class=\"label\" x=\"%u\" y=\"%.0f\">", g->left - 6,
                at_y((int)k) + 4);
        sca_html_row_name(h, v);
        fputs("</text>", h->out);
    }
}

static void put_points(const struct graph *g, int row)
{
    const struct sca_html *h = g->h;
    uint32_t v = g->rows[row];
    fprintf(h->out, "<path class=\"%s\" d=\"", sca_html_growth(h, v) ? "dots grows" : "dots");
    for (uint32_t i = 0; i < g->nranks; i++)
        fprintf(h->out, "M%.0f %.0fh0", at_x(g, (int)i), at_y(row));
    fputs("\"/>", h->out);
    for (uint32_t i = 0; i < g->nranks; i++) {
        bool cause = is_cause(g, v, g->ranks[i]);
        if (cause || is_abnormal(h->r, v, g->ranks[i], h->nranks))
            fprintf(h->out, "<circle class=\"%s\" cx=\"%.0f\" cy=\"%.0f\" r=\"%d\"/>",
                    cause ? "root" : "abnormal", at_x(g, (int)i), at_y(row), cause ? 8 : 6);
    }
}

/* One hop, bent so that it runs beside the points and not through them. `style`: attributes. */
static void put_hop(const struct graph *g, const char *style, uint32_t path,
                    const struct sca_report_step *from, const struct sca_report_step *to)
{
    int c0 = column_of(g, from->rank), c1 = column_of(g, to->rank);
    int r0 = row_of(g, from->vertex), r1 = row_of(g, to->vertex);
    if (c0 < 0 || c1 < 0 || r0 < 0 || r1 < 0 || (c0 == c1 && r0 == r1))
        return;
    double x0 = at_x(g, c0), y0 = at_y(r0), x1 = at_x(g, c1), y1 = at_y(r1);
    double bend = 6 + 4 * path, length = hypot(x1 - x0, y1 - y0);
    double mx = (x0 + x1) / 2 + bend * fabs(y1 - y0) / length;
    double my = (y0 + y1) / 2 - 1.6 * bend * fabs(x1 - x0) / length;
    double reach = hypot(x1 - mx, y1 - my);
    fprintf(g->h->out, "<path %s d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>", style, x0, y0, mx, my,
            x1 - 9 * (x1 - mx) / reach, y1 - 9 * (y1 - my) / reach);
}

/* Of each pair of points once, however many paths take it. */
static bool is_put(const struct sca_report *r, uint32_t path, uint32_t step)
{
    const struct sca_report_step *s = &r->paths[path].steps[step];
    for (uint32_t i = 0; i <= path; i++)
        for (uint32_t k = 1; k < (i < path ? r->paths[i].nsteps : step); k++) {
            const struct sca_report_step *o = &r->paths[i].steps[k];
            if (o->vertex == s->vertex && o->rank == s->rank && o[-1].vertex == s[-1].vertex &&
                o[-1].rank == s[-1].rank)
                return true;
        }
    return false;
}

static void put_all_paths(const struct graph *g)
{
    const struct sca_report *r = g->h->r;
    for (uint32_t i = 0; i < r->npaths; i++)
        for (uint32_t k = 1; k < r->paths[i].nsteps; k++)
            if (!is_put(r, i, k))
                put_hop(g,
                        "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.45\" "
                        "marker-end=\"url(#arrow-all)\"",
                        0, &r->paths[i].steps[k - 1], &r->paths[i].steps[k]);
}

static void put_paths(const struct graph *g)
{
    char style[64];
    for (uint32_t i = g->npaths; i-- > 0;) {
        const struct sca_report_cause *c = &g->h->r->causes[i];
        snprintf(style, sizeof style, "class=\"path c%u\" marker-end=\"url(#arrow-%u)\"", i, i);
        for (uint32_t k = 1; k < c->npath; k++)
            put_hop(g, style, i, &c->path[k - 1], &c->path[k]);
    }
}

static void put_picture(const struct graph *g)
{
    FILE *out = g->h->out;
    uint32_t width = g->left + g->nranks * g->step + 16, height = HEAD + g->nrows * STEP + 8;
    fprintf(out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Performance graph\">"
            "<svg role=\"img\" aria-labelledby=\"t-graph\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\"><title id=\"t-graph\">Program performance graph: ranks across, "
            "program order down, arrows from symptoms to causes</title><defs>",
            width, height, width, height);
    for (int i = 0; i < MOST_PATHS; i++)
        fprintf(out,
                "<marker id=\"arrow-%d\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" "
                "markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" "
                "orient=\"auto\"><path class=\"tip c%d\" d=\"M0 0L8 4L0 8z\"/></marker>",
                i, i);
    fputs("<marker id=\"arrow-all\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"7\" "
          "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path "
          "fill=\"currentColor\" fill-opacity=\"0.6\" d=\"M0 0L8 4L0 8z\"/></marker></defs>",
          out);
    put_frame(g);
    for (uint32_t k = 0; k < g->nrows; k++)
        put_points(g, (int)k);
    put_all_paths(g);
    put_paths(g);
    fputs("</svg></div>\n", out);
}

static void put_legend(const struct graph *g)
{
    fputs("<ul class=\"legend\"><li><span class=\"dot\"></span>normal</li><li><span class=\"dot "
          "grows\"></span>does not scale</li><li><span class=\"dot abnormal\"></span>abnormal on "
          "this rank</li><li><span class=\"dot root\"></span>cause</li>",
          g->h->out);
    if (g->h->r->npaths)
        fputs("<li><span class=\"line all\"></span>all backtracking paths</li>", g->h->out);
    for (uint32_t i = 0; i < g->npaths; i++)
        if (g->h->r->causes[i].npath > 1)
            fprintf(g->h->out, "<li><span class=\"line c%u\"></span>path to cause %u</li>", i,
                    i + 1);
    fputs("</ul>\n", g->h->out);
}

static bool has_path(const struct graph *g)
{
    for (uint32_t i = 0; i < g->npaths; i++)
        if (g->h->r->causes[i].npath > 1)
            return true;
    return false;
}

static void put_numbers(const struct graph *g)
{
    const struct sca_html *h = g->h;
    char text[SCA_PHRASE];
    fputs("<details><summary>Numbers</summary>", h->out);
    sca_html_table(h, "Steps of the paths, from symptom to cause",
                   "#Cause|#Step|#Rank|What|Where|Via|#Seconds of the rank there", false);
    for (uint32_t i = 0; i < g->npaths; i++)
        for (uint32_t k = 0; k < h->r->causes[i].npath; k++) {
            const struct sca_report_step *s = &h->r->causes[i].path[k];
            const struct sca_report_vertex *v = &h->r->vertices[s->vertex];
            fprintf(h->out, "<tr><td class=\"n\">%u</td><td class=\"n\">%u</td>", i + 1, k + 1);
            sca_html_rank(h, s->rank);
            sca_html_cell(h, sca_html_what(text, v));
            sca_html_cell(h, sca_html_place(text, v));
            sca_html_cell(h, s->via[0] ? s->via : "symptom");
            sca_html_number(h, "%.4g", sca_html_rank_s(v, s->rank));
            fputs("</tr>\n", h->out);
        }
    sca_html_table_end(h);
    fputs("</details>\n", h->out);
}

int sca_html_graph(const struct sca_html *h)
{
    struct graph g = {.h = h};
    g.npaths = h->r->ncauses < MOST_PATHS ? h->r->ncauses : MOST_PATHS;
    g.rows = sca_html_rows(h, MOST_ROWS, &g.nrows);
    if (!g.rows)
        return sca_fail(SCA_ENOMEM, "out of memory for the graph");
    g.left = sca_html_row_room(h, g.rows, g.nrows);
    g.nranks = sca_html_some_ranks(h, g.npaths, MOST_RANKS, g.ranks);
    g.step = spread(g.left, g.nranks);
    fprintf(h->out,
            "<section id=\"graph\" aria-labelledby=\"h-graph\"><h2 id=\"h-graph\">Performance graph"
            "</h2>\n<figure><figcaption>Ranks across, program order down; %u of %u ranks, %u of %u "
            "vertices. %s</figcaption>\n",
            g.nranks, h->nranks, g.nrows, h->r->nvertices,
            has_path(&g) ? "Arrows lead from a symptom to its cause."
                         : "There is no path to show.");
    put_legend(&g);
    put_picture(&g);
    if (g.npaths)
        put_numbers(&g);
    fputs("</figure></section>\n", h->out);
    free(g.rows);
    return SCA_OK;
}
