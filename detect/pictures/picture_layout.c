#include "pictures/picture_layout.h"

#include <math.h>
#include <string.h>

enum { MARGIN = 12, NAME = 22, LETTER = 6, MOST_LETTERS = 34 };

double sca_picture_x(const struct sca_picture_layout *at, const struct sca_picture_node *n)
{
    return at->left + (n->column + 0.5) * SCA_PICTURE_COLUMN;
}

double sca_picture_y(const struct sca_picture_layout *at, uint32_t group)
{
    return at->lanes[group].y;
}

/* Nothing of the group but loops stands between: the line may run through them. */
static bool is_free(const struct sca_picture *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        if (p->nodes[i].figure != SCA_FIGURE_LOOP)
            return false;
    return true;
}

double sca_picture_bend(const struct sca_picture *p, const struct sca_picture_edge *e)
{
    enum { LEAST = 24, MOST = 54, STEP = 5 };
    uint32_t from = p->nodes[e->from].column, to = p->nodes[e->to].column;
    bool flows = e->kind == SCA_LINK_COMPUTATION || e->kind == SCA_LINK_CONTROL ||
                 e->kind == SCA_LINK_ORDER || e->kind == SCA_LINK_STEP;
    if (flows && from < to && is_free(p, e->from, e->to))
        return 0;
    double far = fabs((double)to - from);
    double reach = fmin(MOST, LEAST + STEP * far);
    return flows && to <= from ? reach : -reach; /* back below, all else above */
}

/* A group's messages within itself, too. */
static bool is_within(const struct sca_picture *p, const struct sca_picture_edge *e)
{
    return p->nodes[e->from].group == p->nodes[e->to].group;
}

static double head_of(const struct sca_picture *p)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < p->nnodes; i++) {
        size_t n = strlen(p->nodes[i].brief) + (p->nodes[i].line ? 12 : 0);
        longest = n > longest ? n : longest;
    }
    if (longest > MOST_LETTERS)
        longest = MOST_LETTERS;
    return 24 + 0.8 * LETTER * (double)longest; /* they stand at a slant */
}

void sca_picture_lay_out(const struct sca_picture *p, struct sca_picture_layout *out)
{
    *out = (struct sca_picture_layout){.left = MARGIN, .head = head_of(p)};
    out->lanes = sca_workspace_alloc(p->space, p->ngroups, sizeof *out->lanes);
    for (uint32_t i = 0; i < p->ngroups; i++)
        out->lanes[i] = (struct sca_picture_lane){.above = SCA_PICTURE_HALF + 6,
                                                  .below = SCA_PICTURE_HALF + 10};
    for (uint32_t i = 0; i < p->nedges; i++) {
        if (!is_within(p, &p->edges[i]))
            continue;
        struct sca_picture_lane *lane = &out->lanes[p->nodes[p->edges[i].from].group];
        double bend = sca_picture_bend(p, &p->edges[i]);
        lane->above = fmax(lane->above, 8 - bend);
        lane->below = fmax(lane->below, 8 + bend);
    }
    double y = out->head;
    for (uint32_t i = 0; i < p->ngroups; i++) {
        out->lanes[i].y = y + NAME + out->lanes[i].above;
        y = out->lanes[i].y + out->lanes[i].below + 10;
    }
    out->height = y + 52; /* the legend */
    out->width =
        2 * MARGIN + (p->ncolumns + 2.0) * SCA_PICTURE_COLUMN; /* slanted names reach out */
    if (out->width < 560)
        out->width = 560;
}
