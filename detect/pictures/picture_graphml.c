#include "pictures/picture_layout.h"
#include "pictures/picture_text.h"
#include "pictures/picture_write.h"
#include "pictures/share_colour.h"

#include <math.h>

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, "<data key=\"%s\">", key);
    sca_picture_put_xml(out, text);
    fputs("</data>", out);
}

/* What is not known has no datum. */
static void put_number(FILE *out, const char *key, double number)
{
    if (!isnan(number))
        fprintf(out, "<data key=\"%s\">%.9g</data>", key, number);
}

static void put_colour(FILE *out, double share)
{
    char colour[8];
    if (!isnan(share))
        put_text(out, "colour", sca_share_colour(colour, share));
}

/* Of edges an id of its own: igraph knows no key of both. */
static void put_key(FILE *out, const char *of, const char *name, const char *type)
{
    fprintf(out, "<key id=\"%s%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
            *of == 'e' ? "edge_" : "", name, of, name, type);
}

static void put_keys(FILE *out)
{
    static const char *const of_nodes[][2] = {{"label", "string"},     {"class", "int"},
                                              {"ranks", "string"},     {"role", "string"},
                                              {"activity", "string"},  {"file", "string"},
                                              {"line", "int"},         {"iterations", "double"},
                                              {"abnormal", "boolean"}, {"contracted", "int"}};
    static const char *const of_edges[][2] = {
        {"kind", "string"}, {"known", "string"}, {"pairs", "int"}};
    static const char *const of_both[][2] = {{"count", "double"},     {"bytes", "double"},
                                             {"seconds", "double"},   {"share", "double"},
                                             {"shortest", "double"},  {"longest", "double"},
                                             {"deviation", "double"}, {"colour", "string"}};
    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
        put_key(out, "node", of_nodes[i][0], of_nodes[i][1]);
    for (size_t i = 0; i < sizeof of_edges / sizeof *of_edges; i++)
        put_key(out, "edge", of_edges[i][0], of_edges[i][1]);
    for (size_t i = 0; i < sizeof of_both / sizeof *of_both; i++) {
        put_key(out, "node", of_both[i][0], of_both[i][1]);
        put_key(out, "edge", of_both[i][0], of_both[i][1]);
    }
    fputs("<key id=\"node_figure\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n"
          "<key id=\"edge_figure\" for=\"edge\" yfiles.type=\"edgegraphics\"/>\n",
          out);
}

/* ---- nodes ---- */

static void put_name(FILE *out, const struct sca_picture *p, const struct sca_picture_node *n)
{
    fprintf(out, "%s%u.n%u", p->prefix, p->first + n->group, n->id);
}

/* As yEd draws it. */
static void put_node_figure(FILE *out, const struct sca_picture *p,
                            const struct sca_picture_node *n, const struct sca_picture_layout *at)
{
    static const char *const shapes[] = {
        [SCA_FIGURE_END] = "ellipse",        [SCA_FIGURE_CALL] = "roundrectangle",
        [SCA_FIGURE_LOOP] = "hexagon",       [SCA_FIGURE_PLACE] = "rectangle",
        [SCA_FIGURE_PEER] = "parallelogram", [SCA_FIGURE_REST] = "octagon",
        [SCA_FIGURE_PHASE] = "trapezoid"};
    char colour[8];
    fprintf(out,
            "<data key=\"node_figure\"><y:ShapeNode><y:Geometry x=\"%.0f\" y=\"%.0f\" "
            "width=\"110\" height=\"34\"/><y:Fill color=\"%s\"/><y:BorderStyle color=\"%s\" "
            "type=\"%s\" width=\"%d\"/><y:NodeLabel textColor=\"%s\">",
            3.2 * sca_picture_x(at, n), 2 * sca_picture_y(at, n->group),
            n->share >= SCA_SHARE_COLOURED ? sca_share_colour(colour, n->share) : "#f0f0f0",
            n->abnormal ? "#c00000" : "#404040", n->figure == SCA_FIGURE_REST ? "dashed" : "line",
            n->abnormal ? 4 : 1,
            n->share >= SCA_SHARE_COLOURED && !sca_share_colour_is_light(n->share) ? "#ffffff"
                                                                                   : "#000000");
    sca_picture_put_xml(out, n->brief);
    fprintf(out, "</y:NodeLabel><y:Shape type=\"%s\"/></y:ShapeNode></data>", shapes[n->figure]);
    (void)p;
}

static void put_node(FILE *out, const struct sca_picture *p, const struct sca_picture_node *n,
                     const struct sca_picture_layout *at)
{
    const struct sca_picture_group *g = &p->groups[n->group];
    fputs("<node id=\"", out);
    put_name(out, p, n);
    fputs("\">", out);
    put_text(out, "activity", n->activity);
    put_number(out, "class", p->first + n->group);
    put_text(out, "ranks", g->ranks);
    if (*g->role)
        put_text(out, "role", g->role);
    put_text(out, "label", n->label);
    if (*n->file)
        put_text(out, "file", n->file);
    put_number(out, "line", n->line ? n->line : (double)NAN);
    put_number(out, "count", n->count);
    put_number(out, "iterations", n->iterations);
    put_number(out, "bytes", n->bytes);
    put_number(out, "seconds", n->seconds);
    put_number(out, "share", n->share);
    put_number(out, "shortest", n->shortest);
    put_number(out, "longest", n->longest);
    put_number(out, "deviation", n->deviation);
    if (n->abnormal)
        put_text(out, "abnormal", "true");
    put_number(out, "contracted", n->united ? n->united : (double)NAN);
    put_colour(out, n->share);
    put_node_figure(out, p, n, at);
    fputs("</node>\n", out);
}

/* ---- edges ---- */

static void put_edge_figure(FILE *out, const struct sca_picture_edge *e)
{
    static const char *const lines[] = {
        [SCA_LINK_COMPUTATION] = "line",  [SCA_LINK_CONTROL] = "dotted",
        [SCA_LINK_COMPLETION] = "dotted", [SCA_LINK_MESSAGE] = "dashed",
        [SCA_LINK_COLLECTIVE] = "dashed", [SCA_LINK_ORDER] = "line",
        [SCA_LINK_STEP] = "dotted"};
    char colour[8];
    bool timed = e->kind == SCA_LINK_COMPUTATION && e->share > 0;
    fprintf(out,
            "<data key=\"edge_figure\"><y:PolyLineEdge><y:LineStyle color=\"%s\" type=\"%s\" "
            "width=\"%d\"/><y:Arrows source=\"none\" target=\"standard\"/></y:PolyLineEdge></data>",
            timed ? sca_share_colour(colour, e->share) : "#808080", lines[e->kind],
            timed ? 1 + (int)lround(5 * sqrt(fmin(e->share, 1))) : 1);
}

static void put_edge(FILE *out, const struct sca_picture *p, const struct sca_picture_edge *e)
{
    char colour[8];
    fputs("<edge source=\"", out);
    put_name(out, p, &p->nodes[e->from]);
    fputs("\" target=\"", out);
    put_name(out, p, &p->nodes[e->to]);
    fputs("\">", out);
    put_text(out, "edge_kind", sca_picture_link_name(e->kind));
    if (*e->known)
        put_text(out, "edge_known", e->known);
    put_number(out, "edge_pairs", e->pairs ? e->pairs : (double)NAN);
    put_number(out, "edge_count", e->count);
    put_number(out, "edge_bytes", e->bytes);
    if (e->kind == SCA_LINK_COMPUTATION) {
        put_number(out, "edge_seconds", e->seconds);
        put_number(out, "edge_share", e->share);
        put_text(out, "edge_colour", sca_share_colour(colour, e->share));
    }
    put_number(out, "edge_shortest", e->shortest);
    put_number(out, "edge_longest", e->longest);
    put_number(out, "edge_deviation", e->deviation);
    put_edge_figure(out, e);
    fputs("</edge>\n", out);
}

void sca_picture_put_graphml(FILE *out, const struct sca_picture *p)
{
    struct sca_picture_layout at;
    sca_picture_lay_out(p, &at);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
          "xmlns:y=\"http://www.yworks.com/xml/graphml\">\n",
          out);
    put_keys(out);
    fputs("<graph edgedefault=\"directed\">\n", out);
    for (uint32_t i = 0; i < p->nnodes; i++)
        put_node(out, p, &p->nodes[i], &at);
    for (uint32_t i = 0; i < p->nedges; i++)
        put_edge(out, p, &p->edges[i]);
    fputs("</graph>\n</graphml>\n", out);
}
