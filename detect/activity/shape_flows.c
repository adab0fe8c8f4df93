#include "activity/shape_flows.h"
#include "base/compare.h"

#include <math.h>
#include <stdlib.h>

struct flowing {
    struct sca_workspace *space;
    const struct sca_task_source *source;
    const struct sca_rank_shapes *shapes;
    struct sca_shape_flow *flows;
    size_t nflows, room;
};

static int by_flow(const void *a, const void *b)
{
    const struct sca_shape_flow *x = a, *y = b;
    SCA_ORDER(x->from, y->from);
    SCA_ORDER(x->to, y->to);
    SCA_ORDER(x->sum.send, y->sum.send);
    SCA_ORDER(x->sum.receive, y->sum.receive);
    SCA_ORDER(x->sum.from, y->sum.from);
    SCA_ORDER(x->sum.to, y->sum.to);
    return 0;
}

static bool is_one_flow(const struct sca_shape_flow *x, const struct sca_shape_flow *y)
{
    return x->from == y->from && x->to == y->to && x->sum.send == y->sum.send &&
           x->sum.receive == y->sum.receive;
}

static void add_message(struct flowing *p, const struct sca_task_message *m)
{
    if (p->nflows == p->room) {
        size_t room = p->room ? 2 * p->room : 256;
        p->flows = sca_workspace_grow(p->space, p->flows, p->nflows, room, sizeof *p->flows);
        p->room = room;
    }
    p->flows[p->nflows++] =
        (struct sca_shape_flow){p->shapes->of[m->from], p->shapes->of[m->to], 1, *m};
}

static void collect(struct flowing *p)
{
    for (uint32_t r = 0; r < p->source->run->nranks; r++) {
        struct sca_workspace scratch = {.out_of_memory = p->space->out_of_memory};
        uint32_t *peers = NULL, n = 0;
        if (p->shapes->of[r] != SCA_NONE)
            n = sca_task_messages_peers(&scratch, p->source, r, SCA_RECEIVED, &peers);
        for (uint32_t i = 0; i < n; i++) {
            struct sca_task_messages of = {0};
            if (p->shapes->of[peers[i]] != SCA_NONE)
                sca_task_messages_between(&scratch, p->source, peers[i], r, &of);
            for (uint32_t k = 0; k < of.count; k++)
                add_message(p, &of.of[k]);
        }
        sca_workspace_free(&scratch);
    }
}

/* Of the two, what is known of both is known. */
static void unite(struct sca_shape_flow *to, const struct sca_shape_flow *from)
{
    struct sca_task_message *a = &to->sum;
    const struct sca_task_message *b = &from->sum;
    double seconds = (a->timed ? a->timed * a->mean_s : 0) + (b->timed ? b->timed * b->mean_s : 0);
    to->pairs += a->from != b->from || a->to != b->to;
    a->from = b->from;
    a->to = b->to;
    a->messages += b->messages;
    a->bytes += b->bytes;
    a->known = a->known > b->known ? a->known : b->known;
    a->seen += b->seen;
    a->timed += b->timed;
    a->mean_s = a->timed ? seconds / a->timed : (double)NAN;
    a->shortest = fmin(a->shortest, b->shortest);
    a->longest = fmax(a->longest, b->longest);
    sca_task_sample_unite(&a->times, &b->times);
    sca_task_sample_unite(&a->sizes, &b->sizes);
}

void sca_shape_flows_find(struct sca_workspace *space, const struct sca_task_source *source,
                          const struct sca_rank_shapes *shapes, struct sca_shape_flows *out)
{
    struct flowing f = {.space = space, .source = source, .shapes = shapes};
    collect(&f);
    *out = (struct sca_shape_flows){.of = f.flows};
    if (f.nflows)
        qsort(f.flows, f.nflows, sizeof *f.flows, by_flow);
    for (size_t i = 0; i < f.nflows; i++)
        if (out->count && is_one_flow(&out->of[out->count - 1], &f.flows[i]))
            unite(&out->of[out->count - 1], &f.flows[i]);
        else
            out->of[out->count++] = f.flows[i];
}
