#include "pictures/picture_text.h"
#include "pictures/picture_write.h"
#include "pictures/share_colour.h"

#include <math.h>
#include <string.h>

/* ---- nodes ---- */

static void put_label(FILE *out, const struct sca_picture_node *n)
{
    char text[16];
    const char *slash = strrchr(n->file, '/');
    sca_picture_put_dot(out, n->brief);
    if (n->figure == SCA_FIGURE_CALL && n->line) {
        fputs("\\n", out);
        sca_picture_put_dot(out, slash ? slash + 1 : n->file);
        fprintf(out, ":%u", n->line);
    }
    if (n->figure == SCA_FIGURE_LOOP)
        fputs(n->place.behind ? "\\nexit" : "\\nloop", out);
    if (n->iterations > 0)
        fprintf(out, ", %s iterations", sca_picture_number(text, n->iterations));
    else if (n->count > 0 && (n->figure == SCA_FIGURE_CALL || n->figure == SCA_FIGURE_PHASE))
        fprintf(out, "\\n%s times", sca_picture_number(text, n->count));
    if (n->share >= 0.001)
        fprintf(out, "\\n%s", sca_picture_percent(text, n->share));
}

static void put_node(FILE *out, const struct sca_picture_node *n, uint32_t number)
{
    static const char *const shapes[] = {
        [SCA_FIGURE_END] = "ellipse", [SCA_FIGURE_CALL] = "box",
        [SCA_FIGURE_LOOP] = "cds",    [SCA_FIGURE_PLACE] = "plaintext",
        [SCA_FIGURE_PEER] = "house",  [SCA_FIGURE_REST] = "octagon",
        [SCA_FIGURE_PHASE] = "note"};
    char colour[8];
    bool light = !(n->share >= SCA_SHARE_COLOURED) || sca_share_colour_is_light(n->share);
    fprintf(
        out, "n%u [shape=%s,fillcolor=\"%s\",fontcolor=%s,%s%slabel=\"", number, shapes[n->figure],
        n->share >= SCA_SHARE_COLOURED ? sca_share_colour(colour, n->share) : "white",
        light ? "black" : "white", n->figure == SCA_FIGURE_REST ? "style=\"filled,dashed\"," : "",
        n->abnormal ? "color=red3,penwidth=4," : "");
    put_label(out, n);
    fputs("\",tooltip=\"", out);
    sca_picture_put_dot(out, n->label);
    fputs("\"];\n", out);
}

static void put_group(FILE *out, const struct sca_picture *p, uint32_t group)
{
    fprintf(out, "subgraph cluster_%u {\nlabel=\"", group);
    sca_picture_put_dot(out, p->groups[group].name);
    fputs("\";\n", out);
    for (uint32_t i = 0; i < p->nnodes; i++)
        if (p->nodes[i].group == group)
            put_node(out, &p->nodes[i], i);
    fputs("}\n", out);
}

/* ---- edges ---- */

static void put_line(FILE *out, const struct sca_picture_edge *e)
{
    char colour[8], text[16], number[16];
    double share = isnan(e->share) ? 0 : e->share;
    sca_picture_percent(text, share);
    sca_picture_number(number, e->count);
    fprintf(out, "color=\"%s\",penwidth=%.1f", sca_share_colour(colour, share),
            1 + 5 * sqrt(fmin(share, 1)));
    if (!isnan(e->count))
        fprintf(out, ",label=\"%s%s%s\"", share >= 0.01 ? text : "", share >= 0.01 ? "\\n" : "",
                e->count > 1 ? number : "");
}

static void put_edge(FILE *out, const struct sca_picture_edge *e)
{
    char number[16];
    fprintf(out, "n%u -> n%u [", e->from, e->to);
    switch (e->kind) {
    case SCA_LINK_COMPUTATION:
    case SCA_LINK_CONTROL:
    case SCA_LINK_STEP:
        put_line(out, e);
        break;
    case SCA_LINK_COMPLETION:
        fputs("style=dotted,color=gray40,constraint=false,arrowhead=empty", out);
        break;
    case SCA_LINK_ORDER:
        fputs("color=gray,arrowhead=none", out);
        break;
    default:
        fputs("style=dashed,color=gray25,constraint=false", out);
        if (!isnan(e->count))
            fprintf(out, ",label=\"%s\",fontcolor=gray25", sca_picture_number(number, e->count));
    }
    fputs("];\n", out);
}

void sca_picture_put_dot_file(FILE *out, const struct sca_picture *p)
{
    fputs("digraph activities {\nlabel=\"", out);
    sca_picture_put_dot(out, p->title);
    fputs("\";\nlabelloc=t;\nrankdir=LR;\nnodesep=0.2;\nranksep=0.35;\n"
          "node [style=filled,fontsize=11,fontname=\"Helvetica\"];\n"
          "edge [fontsize=9,fontname=\"Helvetica\"];\n",
          out);
    for (uint32_t i = 0; i < p->ngroups; i++)
        put_group(out, p, i);
    for (uint32_t i = 0; i < p->nedges; i++)
        if (!p->edges[i].through) /* control edges lead the same way */
            put_edge(out, &p->edges[i]);
    fputs("}\n", out);
}
