#include "activity/shape_collectives.h"
#include "base/compare.h"
#include "trace/replay_trace.h"

#include <stdlib.h>

struct shape_part { /* of the members in a shape; root: its shape, SCA_NONE: none */
    uint32_t vertex, root, shape;
    bool to_root;
    double calls, bytes;
};

struct collecting_parts {
    struct sca_workspace *space;
    const struct sca_task_source *source;
    const struct sca_rank_shapes *shapes;
    struct shape_part *parts;
    size_t n, room;
};

static int by_part(const void *a, const void *b)
{
    const struct shape_part *x = a, *y = b;
    SCA_ORDER(x->vertex, y->vertex);
    SCA_ORDER(x->root, y->root);
    SCA_ORDER(x->shape, y->shape);
    return 0;
}

/* Few are different: sorted and united whenever there is no room. */
static void unite(struct collecting_parts *c)
{
    size_t kept = 0;
    if (c->n)
        qsort(c->parts, c->n, sizeof *c->parts, by_part);
    for (size_t i = 0; i < c->n; i++)
        if (kept && !by_part(&c->parts[kept - 1], &c->parts[i])) {
            c->parts[kept - 1].calls += c->parts[i].calls;
            c->parts[kept - 1].bytes += c->parts[i].bytes;
        } else {
            c->parts[kept++] = c->parts[i];
        }
    c->n = kept;
}

static void add(struct collecting_parts *c, const struct shape_part *part)
{
    if (c->n == c->room)
        unite(c);
    if (2 * c->n >= c->room) {
        size_t room = c->room ? 2 * c->room : 256;
        c->parts = sca_workspace_grow(c->space, c->parts, c->n, room, sizeof *c->parts);
        c->room = room;
    }
    c->parts[c->n++] = *part;
}

/* The root has no edge to itself. */
static void add_rank(struct collecting_parts *c, uint32_t r)
{
    const struct sca_ppg_run *run = c->source->run;
    const struct sca_rank *rank = sca_rank_open(c->source->opened, r, SCA_OPEN_COLLECTIVES);
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        const struct sca_part_collective *of = &rank->collectives[i];
        const char *function = run->profile->sites[of->site].function;
        uint32_t vertex = run->site_vertex[of->site];
        int shape = sca_collective_shape(function);
        bool rooted = of->root >= 0 && (uint32_t)of->root < run->nranks;
        if (vertex == SCA_NONE || shape < 0 || !of->count || (rooted && (uint32_t)of->root == r))
            continue;
        const struct shape_part part = {.vertex = vertex,
                                        .root = rooted ? c->shapes->of[of->root] : SCA_NONE,
                                        .shape = c->shapes->of[r],
                                        .to_root = shape == SCA_ALL_TO_ONE,
                                        .calls = (double)of->count,
                                        .bytes = (double)of->bytes};
        add(c, &part);
    }
}

/* Parts of a call without a root follow each other. */
static bool make(const struct shape_part *part, const struct shape_part *before,
                 struct sca_shape_collective *out)
{
    *out = (struct sca_shape_collective){.vertex = part->vertex,
                                         .from = part->root,
                                         .to = part->shape,
                                         .calls = part->calls,
                                         .bytes = part->bytes};
    if (part->root != SCA_NONE) {
        out->from = part->to_root ? part->shape : part->root;
        out->to = part->to_root ? part->root : part->shape;
        return true;
    }
    if (!before || before->vertex != part->vertex || before->root != SCA_NONE)
        return false;
    out->from = before->shape;
    return true;
}

void sca_shape_collectives_find(struct sca_workspace *space, const struct sca_task_source *source,
                                const struct sca_rank_shapes *shapes,
                                struct sca_shape_collectives *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct collecting_parts c = {.space = &scratch, .source = source, .shapes = shapes};
    for (uint32_t r = 0; r < source->run->nranks; r++)
        if (shapes->of[r] != SCA_NONE)
            add_rank(&c, r);
    unite(&c);
    *out = (struct sca_shape_collectives){.of = sca_workspace_alloc(space, c.n, sizeof *out->of)};
    for (size_t i = 0; i < c.n; i++)
        out->count += make(&c.parts[i], i ? &c.parts[i - 1] : NULL, &out->of[out->count]);
    sca_workspace_free(&scratch);
}
