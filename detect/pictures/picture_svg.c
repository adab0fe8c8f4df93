#include "pictures/picture_layout.h"
#include "pictures/picture_text.h"
#include "pictures/picture_write.h"
#include "pictures/share_colour.h"

#include <math.h>
#include <string.h>

struct drawing_svg {
    FILE *out;
    const struct sca_picture *p;
    struct sca_picture_layout at;
};

static double x_of(const struct drawing_svg *d, uint32_t node)
{
    return sca_picture_x(&d->at, &d->p->nodes[node]);
}

static double y_of(const struct drawing_svg *d, uint32_t node)
{
    return sca_picture_y(&d->at, d->p->nodes[node].group);
}

/* ---- edges ---- */

/* How far a figure reaches to its sides. */
static double half_of(const struct drawing_svg *d, uint32_t node)
{
    enum sca_figure figure = d->p->nodes[node].figure;
    return figure == SCA_FIGURE_END ? 8 : figure == SCA_FIGURE_LOOP ? 5 : SCA_PICTURE_NODE / 2.0;
}

/* From a node's rim, to the other's, over or under what lies between. */
static void put_arc(const struct drawing_svg *d, const struct sca_picture_edge *e)
{
    double x0 = x_of(d, e->from), x1 = x_of(d, e->to), y = y_of(d, e->from);
    double bend = sca_picture_bend(d->p, e), side = bend < 0 ? -1 : 1;
    double rim = y + side * SCA_PICTURE_HALF, far = y + side * (4 * fabs(bend) / 3 - 4);
    if (e->from == e->to)
        fprintf(d->out, "M%.0f %.1fC%.0f %.1f %.0f %.1f %.0f %.1f", x0 - 8, rim, x0 - 20, far,
                x0 + 20, far, x0 + 8, rim);
    else if (bend == 0)
        fprintf(d->out, "M%.0f %.0fH%.0f", x0 + half_of(d, e->from), y, x1 - half_of(d, e->to));
    else
        fprintf(d->out, "M%.0f %.1fC%.0f %.1f %.0f %.1f %.0f %.1f", x0, rim, x0, far, x1, far, x1,
                rim);
}

/* From lane to lane, past the nodes of those between as far as may be. */
static void put_across(const struct drawing_svg *d, const struct sca_picture_edge *e)
{
    double x0 = x_of(d, e->from), x1 = x_of(d, e->to), y0 = y_of(d, e->from), y1 = y_of(d, e->to);
    double down = y1 > y0 ? 1 : -1, aside = x0 == x1 ? SCA_PICTURE_NODE * 0.7 : 0;
    y0 += down * SCA_PICTURE_HALF;
    y1 -= down * (SCA_PICTURE_HALF + 1);
    double reach = down * fmin(40, fabs(y1 - y0) / 2);
    fprintf(d->out, "M%.0f %.1fC%.1f %.1f %.1f %.1f %.0f %.1f", x0, y0, x0 + aside, y0 + reach,
            x1 + aside, y1 - reach, x1, y1);
}

static bool is_within(const struct drawing_svg *d, const struct sca_picture_edge *e)
{
    return d->p->nodes[e->from].group == d->p->nodes[e->to].group;
}

static void put_edge(const struct drawing_svg *d, const struct sca_picture_edge *e)
{
    char colour[8];
    fputs("<path fill=\"none\" ", d->out);
    switch (e->kind) {
    case SCA_LINK_COMPUTATION:
        fprintf(d->out, "stroke=\"%s\" stroke-width=\"%.1f\" marker-end=\"url(#way)\"",
                sca_share_colour(colour, e->share),
                1.2 + 6 * sqrt(fmin(e->share > 0 ? e->share : 0, 1)));
        break;
    case SCA_LINK_ORDER:
        fputs("stroke=\"#888\" stroke-width=\"1\"", d->out);
        break;
    case SCA_LINK_COMPLETION:
    case SCA_LINK_STEP:
        fputs("stroke=\"#888\" stroke-width=\"1\" stroke-dasharray=\"1 3\" "
              "marker-end=\"url(#way)\"",
              d->out);
        break;
    default:
        fputs("stroke=\"currentColor\" stroke-opacity=\"0.6\" stroke-dasharray=\"5 3\" "
              "marker-end=\"url(#way)\"",
              d->out);
    }
    fputs(" d=\"", d->out);
    if (is_within(d, e))
        put_arc(d, e);
    else
        put_across(d, e);
    fputs("\"><title>", d->out);
    sca_picture_describe_edge(d->out, d->p, e);
    fputs("</title></path>\n", d->out);
}

/* ---- nodes ---- */

/* What is written into a figure: a line in its middle, or two. */
static void put_line_inside(const struct drawing_svg *d, const struct sca_picture_node *n, double x,
                            double y, const char *text)
{
    bool light = !(n->share >= SCA_SHARE_COLOURED) || sca_share_colour_is_light(n->share);
    fprintf(d->out,
            "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"10\" "
            "fill=\"%s\">%s</text>",
            x, y + 3.5, light ? "#000" : "#fff", text);
}

/* As short as a box is wide; its title has all digits. */
static void short_number(char out[16], double number)
{
    static const char *const units[] = {"k", "M", "G", "T", "P"};
    size_t unit = 0;
    if (number < 1e5) {
        snprintf(out, 16, "%.0f", number);
        return;
    }
    for (number /= 1000; number >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        number /= 1000;
    snprintf(out, 16, "%.3g%s", number, units[unit]);
}

static const char *name_inside(const struct sca_picture_node *n, char percent[16])
{
    if (n->share >= SCA_SHARE_COLOURED && n->figure != SCA_FIGURE_END) {
        sca_picture_percent(percent, n->share);
        return percent;
    }
    return n->figure == SCA_FIGURE_REST ? "..." : n->figure == SCA_FIGURE_PEER ? n->brief : "";
}

/* Its share, and below that how often it was called: there no arrow crosses the number. */
static void put_inside(const struct drawing_svg *d, const struct sca_picture_node *n, double x,
                       double y)
{
    char percent[16], number[16];
    const char *name = name_inside(n, percent);
    bool counted = !isnan(n->count) && n->figure != SCA_FIGURE_LOOP &&
                   n->figure != SCA_FIGURE_END && n->figure != SCA_FIGURE_PEER;
    double apart = *name && counted ? SCA_PICTURE_HALF / 2.0 - 0.5 : 0;
    if (*name)
        put_line_inside(d, n, x, y - apart, name);
    if (counted) {
        short_number(number, n->count);
        put_line_inside(d, n, x, y + apart, number);
    }
}

/* Below a loop's entry its iterations. */
static void put_iterations(const struct drawing_svg *d, const struct sca_picture_node *n, double x,
                           double y)
{
    char text[16];
    if (n->figure != SCA_FIGURE_LOOP || isnan(n->iterations))
        return;
    fprintf(d->out,
            "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\" font-size=\"9\" "
            "fill=\"currentColor\" fill-opacity=\"0.8\">%sx</text>",
            x + 8, y + SCA_PICTURE_HALF + 9, sca_picture_number(text, n->iterations));
}

static void put_figure(const struct drawing_svg *d, const struct sca_picture_node *n, double x,
                       double y)
{
    char colour[8];
    const char *fill =
        n->share >= SCA_SHARE_COLOURED ? sca_share_colour(colour, n->share) : "#e8e8e8";
    const char *rim = n->abnormal ? "stroke=\"#c00000\" stroke-width=\"3.5\""
                                  : "stroke=\"#555\" stroke-width=\"1\"";
    double half = SCA_PICTURE_HALF, side = n->place.behind ? -1 : 1;
    if (n->figure == SCA_FIGURE_END)
        fprintf(d->out, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"8\" fill=\"%s\" %s>", x, y, fill, rim);
    else if (n->figure == SCA_FIGURE_LOOP)
        fprintf(d->out, "<path fill=\"%s\" %s d=\"M%.0f %.0fv14l%.0f -7z\">", fill, rim,
                x - side * 5, y - 7, side * 10);
    else
        fprintf(d->out,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%.0f\" rx=\"%d\" fill=\"%s\" "
                "%s%s>",
                x - SCA_PICTURE_NODE / 2.0, y - half, SCA_PICTURE_NODE, 2 * half,
                n->figure == SCA_FIGURE_PEER || n->figure == SCA_FIGURE_PHASE ? 0 : 5, fill, rim,
                n->figure == SCA_FIGURE_REST ? " stroke-dasharray=\"3 2\"" : "");
    fputs("<title>", d->out);
    sca_picture_describe_node(d->out, n);
    fprintf(d->out, "</title></%s>",
            n->figure == SCA_FIGURE_END    ? "circle"
            : n->figure == SCA_FIGURE_LOOP ? "path"
                                           : "rect");
}

static void put_node(const struct drawing_svg *d, uint32_t i)
{
    const struct sca_picture_node *n = &d->p->nodes[i];
    double x = x_of(d, i), y = y_of(d, i);
    put_figure(d, n, x, y);
    put_inside(d, n, x, y);
    put_iterations(d, n, x, y);
    fputc('\n', d->out);
}

/* ---- names ---- */

/* Each column's, once, from the first group that has it. */
static void put_columns(const struct drawing_svg *d)
{
    bool *named = sca_workspace_alloc(d->p->space, d->p->ncolumns, sizeof *named);
    for (uint32_t i = 0; i < d->p->nnodes; i++) {
        const struct sca_picture_node *n = &d->p->nodes[i];
        const char *slash = strrchr(n->file, '/');
        if (named[n->column])
            continue;
        named[n->column] = true;
        double x = x_of(d, i);
        fprintf(d->out,
                "<path stroke=\"currentColor\" stroke-opacity=\"0.12\" d=\"M%.0f %.0fV%.0f\"/>"
                "<text transform=\"translate(%.0f %.0f) rotate(-50)\" font-size=\"11\" "
                "fill=\"currentColor\">",
                x, d->at.head, d->at.height - 54, x, d->at.head - 6);
        sca_picture_put_xml(d->out, n->figure == SCA_FIGURE_LOOP && n->place.behind ? "end of "
                                    : n->figure == SCA_FIGURE_LOOP                  ? "loop "
                                                                                    : "");
        sca_picture_put_xml(d->out, n->brief);
        if (n->figure == SCA_FIGURE_CALL && n->line) {
            fputc(' ', d->out);
            sca_picture_put_xml(d->out, slash ? slash + 1 : n->file);
            fprintf(d->out, ":%u", n->line);
        }
        fputs("</text>\n", d->out);
    }
}

static void put_lanes(const struct drawing_svg *d)
{
    for (uint32_t i = 0; i < d->p->ngroups; i++) {
        const struct sca_picture_lane *lane = &d->at.lanes[i];
        fprintf(d->out,
                "<path stroke=\"currentColor\" stroke-opacity=\"0.25\" d=\"M0 %.0fH%.0f\"/>"
                "<text x=\"6\" y=\"%.0f\" font-size=\"12\" font-weight=\"bold\" "
                "fill=\"currentColor\">",
                lane->y - lane->above - 20, d->at.width, lane->y - lane->above - 5);
        sca_picture_put_xml(d->out, d->p->groups[i].name);
        fputs("</text>\n", d->out);
    }
}

static void put_legend(const struct drawing_svg *d)
{
    static const double shares[] = {0, 0.01, 0.05, 0.1, 0.25, 0.5, 1};
    double y = d->at.height - 14;
    char colour[8];
    fprintf(d->out,
            "<g font-size=\"11\" fill=\"currentColor\"><text x=\"6\" y=\"%.0f\">share of "
            "time</text>",
            y);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        fprintf(d->out,
                "<rect x=\"%zu\" y=\"%.0f\" width=\"14\" height=\"12\" fill=\"%s\"/><text "
                "x=\"%zu\" y=\"%.0f\">%.0f %%</text>",
                94 + 60 * i, y - 10, sca_share_colour(colour, shares[i]), 111 + 60 * i, y,
                100 * shares[i]);
    fprintf(
        d->out,
        "<rect x=\"6\" y=\"%.0f\" width=\"14\" height=\"11\" rx=\"3\" fill=\"none\" "
        "stroke=\"#c00000\" stroke-width=\"3\"/><text x=\"26\" y=\"%.0f\">longer than on other "
        "ranks</text><rect x=\"188\" y=\"%.0f\" width=\"14\" height=\"11\" rx=\"3\" fill=\"none\" "
        "stroke=\"currentColor\" stroke-dasharray=\"3 2\"/><text x=\"208\" y=\"%.0f\">several, "
        "contracted</text><path fill=\"none\" stroke=\"currentColor\" stroke-dasharray=\"5 3\" "
        "marker-end=\"url(#way)\" d=\"M332 %.0fh30\"/><text x=\"368\" y=\"%.0f\">messages</text>",
        y - 28, y - 19, y - 28, y - 19, y - 23, y - 19);
    fputs("</g>\n", d->out);
}

void sca_picture_put_svg(FILE *out, const struct sca_picture *p, bool alone)
{
    struct drawing_svg d = {.out = out, .p = p};
    sca_picture_lay_out(p, &d.at);
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" role=\"img\" width=\"%.0f\" "
        "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\"%s><title>",
        d.at.width, d.at.height, d.at.width, d.at.height, alone ? " color=\"#222\"" : "");
    sca_picture_put_xml(out, p->title);
    fputs("</title>\n<defs><marker id=\"way\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
          "markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path fill=\"currentColor\" fill-opacity=\"0.75\" d=\"M0 0L8 4L0 8z\"/></marker>"
          "</defs>\n",
          out);
    if (alone)
        fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
    put_columns(&d);
    put_lanes(&d);
    for (uint32_t i = 0; i < p->nedges; i++)
        if (p->edges[i].kind != SCA_LINK_CONTROL) /* the computation runs through loops */
            put_edge(&d, &p->edges[i]);
    for (uint32_t i = 0; i < p->nnodes; i++)
        put_node(&d, i);
    put_legend(&d);
    fputs("</svg>\n", out);
}
