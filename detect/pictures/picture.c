#include "pictures/picture.h"
#include "base/compare.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

void sca_picture_begin(struct sca_workspace *space, struct sca_picture *out)
{
    *out = (struct sca_picture){.space = space, .title = "", .prefix = "c", .first = 1};
}

/* Room for one more of `n`. */
static void *with_room(struct sca_picture *p, void *list, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room)
        return list;
    *room = *room ? 2 * *room : 64;
    return sca_workspace_grow(p->space, list, n, *room, size);
}

uint32_t sca_picture_add_group(struct sca_picture *p, const struct sca_picture_group *group)
{
    p->groups = with_room(p, p->groups, p->ngroups, &p->group_room, sizeof *p->groups);
    p->groups[p->ngroups] = *group;
    return p->ngroups++;
}

struct sca_picture_node *sca_picture_add_node(struct sca_picture *p, uint32_t group)
{
    const double unknown = (double)NAN;
    p->nodes = with_room(p, p->nodes, p->nnodes, &p->node_room, sizeof *p->nodes);
    p->nodes[p->nnodes] = (struct sca_picture_node){.group = group,
                                                    .vertex = SCA_NONE,
                                                    .activity = "",
                                                    .label = "",
                                                    .brief = "",
                                                    .file = "",
                                                    .count = unknown,
                                                    .bytes = unknown,
                                                    .seconds = unknown,
                                                    .share = unknown,
                                                    .iterations = unknown,
                                                    .shortest = unknown,
                                                    .longest = unknown,
                                                    .deviation = unknown};
    return &p->nodes[p->nnodes++];
}

struct sca_picture_edge *sca_picture_add_edge(struct sca_picture *p, enum sca_link kind,
                                              uint32_t from, uint32_t to)
{
    const double unknown = (double)NAN;
    p->edges = with_room(p, p->edges, p->nedges, &p->edge_room, sizeof *p->edges);
    p->edges[p->nedges] = (struct sca_picture_edge){.kind = kind,
                                                    .from = from,
                                                    .to = to,
                                                    .count = unknown,
                                                    .bytes = unknown,
                                                    .seconds = unknown,
                                                    .share = unknown,
                                                    .shortest = unknown,
                                                    .longest = unknown,
                                                    .deviation = unknown,
                                                    .known = ""};
    return &p->edges[p->nedges++];
}

const char *sca_picture_text(struct sca_picture *p, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = sca_workspace_alloc(p->space, (size_t)(length < 0 ? 0 : length) + 1, 1);
    vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void sca_picture_name(struct sca_picture *p, const struct sca_ppg_vertex *v,
                      struct sca_picture_node *node)
{
    char text[SCA_PHRASE];
    const struct sca_report_vertex same = {.kind = sca_psg_kind_name(v->kind),
                                           .name = v->name,
                                           .function = v->function,
                                           .file = v->file,
                                           .line = v->line};
    const char *slash = strrchr(v->file, '/');
    node->label = sca_picture_text(p, "%s", sca_phrase_vertex(text, &same));
    node->file = v->file;
    node->line = v->line;
    node->brief = v->kind == SCA_MPI ? v->name
                  : !v->line         ? v->function
                             : sca_picture_text(p, "%s:%u", slash ? slash + 1 : v->file, v->line);
}

const char *sca_picture_link_name(enum sca_link kind)
{
    static const char *const names[] = {[SCA_LINK_COMPUTATION] = "computation",
                                        [SCA_LINK_CONTROL] = "control",
                                        [SCA_LINK_COMPLETION] = "completion",
                                        [SCA_LINK_MESSAGE] = "message",
                                        [SCA_LINK_COLLECTIVE] = "collective",
                                        [SCA_LINK_ORDER] = "order",
                                        [SCA_LINK_STEP] = "step"};
    return names[kind];
}

/* ---- places ---- */

static int by_place(const struct sca_picture_place *x, const struct sca_picture_place *y)
{
    SCA_ORDER(x->at, y->at);
    SCA_ORDER(x->behind, y->behind);
    SCA_ORDER(x->inner, y->inner);
    return 0;
}

static int by_place_of(const void *a, const void *b, void *nodes)
{
    const struct sca_picture_node *of = nodes;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = by_place(&of[x].place, &of[y].place);
    return order ? order : (x > y) - (x < y);
}

/* All nodes in the order of their places. */
static uint32_t *in_order(const struct sca_picture *p)
{
    uint32_t *order = sca_workspace_alloc(p->space, p->nnodes, sizeof *order);
    for (uint32_t i = 0; i < p->nnodes; i++)
        order[i] = i;
    if (p->nnodes)
        qsort_r(order, p->nnodes, sizeof *order, by_place_of, p->nodes);
    return order;
}

void sca_picture_arrange(struct sca_picture *p)
{
    const uint32_t *order = in_order(p);
    p->ncolumns = 0;
    for (uint32_t i = 0; i < p->nnodes; i++) {
        struct sca_picture_node *n = &p->nodes[order[i]];
        if (!i || by_place(&p->nodes[order[i - 1]].place, &n->place))
            p->ncolumns++;
        n->column = p->ncolumns - 1;
    }
}

/* ---- abnormal calls ---- */

struct typical { /* a group's time in a call */
    double mean;
    uint32_t nranks;
};

static int by_mean(const void *a, const void *b)
{
    const struct typical *x = a, *y = b;
    return (x->mean > y->mean) - (x->mean < y->mean);
}

/* Of all ranks, each as its group on average. */
static double median_of(struct typical *of, uint32_t n)
{
    uint64_t ranks = 0, half = 0;
    for (uint32_t i = 0; i < n; i++)
        ranks += of[i].nranks;
    if (n)
        qsort(of, n, sizeof *of, by_mean);
    for (uint32_t i = 0; i < n; i++)
        if (2 * (half += of[i].nranks) >= ranks)
            return of[i].mean;
    return 0;
}

static void mark_place(struct sca_picture *p, const uint32_t *order, uint32_t n, double ratio,
                       struct typical *scratch)
{
    enum { PART = 100 };
    for (uint32_t i = 0; i < n; i++) {
        const struct sca_picture_node *node = &p->nodes[order[i]];
        uint32_t nranks = p->groups[node->group].nranks;
        scratch[i] = (struct typical){isnan(node->seconds) ? 0 : node->seconds / nranks, nranks};
    }
    double median = median_of(scratch, n);
    for (uint32_t i = 0; n > 1 && i < n; i++) {
        struct sca_picture_node *node = &p->nodes[order[i]];
        const struct sca_picture_group *group = &p->groups[node->group];
        double mean = node->seconds / group->nranks;
        node->abnormal = node->figure == SCA_FIGURE_CALL && mean > ratio * median &&
                         PART * (mean - median) > group->seconds / group->nranks;
    }
}

void sca_picture_mark_abnormal(struct sca_picture *p, double ratio)
{
    const uint32_t *order = in_order(p);
    struct typical *scratch = sca_workspace_alloc(p->space, p->nnodes, sizeof *scratch);
    for (uint32_t i = 0, end; i < p->nnodes; i = end) {
        for (end = i + 1;
             end < p->nnodes && !by_place(&p->nodes[order[i]].place, &p->nodes[order[end]].place);)
            end++;
        mark_place(p, &order[i], end - i, ratio, scratch);
    }
}
