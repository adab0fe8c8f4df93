#include "activity/task_requests.h"
#include "base/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum request { RECEIVES, SENDS, COLLECTIVES };

struct end { /* of a request, as one side of it was recorded */
    enum request what;
    bool completes;
    uint32_t comm;
    int32_t peer, tag;
    uint64_t number;
    uint32_t node;
};

struct requests {
    struct sca_task_graph *g;
    const struct sca_rank *rank;
    struct end *ends;
    size_t n, room;
};

/* ---- what was recorded ---- */

static void add_end(struct requests *r, struct end end)
{
    if (end.node == SCA_NONE)
        return;
    if (r->n == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        r->ends = sca_workspace_grow(r->g->space, r->ends, r->n, room, sizeof *r->ends);
        r->room = room;
    }
    r->ends[r->n++] = end;
}

static void add_op(struct requests *r, const struct sca_op *op, uint32_t node)
{
    static const struct {
        enum request what;
        bool counts, completes;
    } kinds[] = {[SCA_OP_SEND] = {SENDS, true, false},
                 [SCA_OP_SEND_DONE] = {SENDS, true, true},
                 [SCA_OP_RECV_POST] = {RECEIVES, true, false},
                 [SCA_OP_RECV] = {RECEIVES, true, true},
                 [SCA_OP_COLLECTIVE_POST] = {COLLECTIVES, true, false},
                 [SCA_OP_COLLECTIVE_DONE] = {COLLECTIVES, true, true},
                 [SCA_OP_LOCK] = {COLLECTIVES, false, false}};
    if (op->kind >= sizeof kinds / sizeof *kinds || !kinds[op->kind].counts ||
        op->tag == SCA_TAG_NEIGHBOUR)
        return;
    bool collective = kinds[op->kind].what == COLLECTIVES;
    add_end(r, (struct end){kinds[op->kind].what, kinds[op->kind].completes, op->comm,
                            collective ? 0 : op->peer, collective ? 0 : op->tag, op->number, node});
}

static void collect(struct requests *r)
{
    for (uint32_t i = 0; i < r->rank->nwindows; i++) {
        const struct sca_window *w = &r->rank->windows[i];
        for (uint32_t e = 0; sca_window_stands(w) && e < w->nevents; e++)
            for (uint32_t k = 0; k < w->events[e].nops; k++)
                add_op(r, &w->ops[w->events[e].first_op + k],
                       sca_task_graph_call(r->g, w->events[e].site));
    }
    for (uint32_t i = 0; i < r->rank->nmessages; i++) {
        const struct sca_part_message *m = &r->rank->messages[i];
        if (m->direction != SCA_RECEIVED)
            continue;
        struct end end = {RECEIVES,
                          true,
                          m->comm,
                          m->peer,
                          m->tag,
                          m->number,
                          sca_task_graph_call(r->g, m->site)};
        add_end(r, end);
        end.completes = false;
        end.node = m->post_site ? sca_task_graph_call(r->g, m->post_site) : SCA_NONE;
        add_end(r, end);
    }
}

static int by_request(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    SCA_ORDER(x->what, y->what);
    SCA_ORDER(x->comm, y->comm);
    SCA_ORDER(x->peer, y->peer);
    SCA_ORDER(x->tag, y->tag);
    SCA_ORDER(x->number, y->number);
    return 0;
}

static int by_end(const void *a, const void *b)
{
    int order = by_request(a, b);
    const struct end *x = a, *y = b;
    if (order)
        return order;
    SCA_ORDER(x->completes, y->completes);
    SCA_ORDER(x->node, y->node);
    return 0;
}

/* Of requests whose number is not exact, no number is known. */
static void join(struct requests *r, bool exact_receives)
{
    if (r->n)
        qsort(r->ends, r->n, sizeof *r->ends, by_end);
    size_t n = 0; /* each end once: a kept message may lie in a window */
    for (size_t i = 0; i < r->n; i++)
        if (!n || by_end(&r->ends[n - 1], &r->ends[i]))
            r->ends[n++] = r->ends[i];
    for (size_t i = 1; i < n; i++) {
        const struct end *begin = &r->ends[i - 1], *end = &r->ends[i];
        bool pair = !by_request(begin, end) && !begin->completes && end->completes &&
                    (i + 1 == n || by_request(end, &r->ends[i + 1])) &&
                    (i < 2 || by_request(&r->ends[i - 2], begin));
        if (!pair || begin->node == end->node)
            continue;
        struct sca_task_edge *e =
            sca_task_graph_edge(r->g, SCA_TASK_COMPLETES, begin->node, end->node);
        e->seen++;
        if (begin->what != RECEIVES || !exact_receives)
            e->times.count = (double)NAN;
    }
}

/* ---- how many ---- */

struct totals {           /* of receives that are begun and completed in different calls */
    double *begun, *done; /* [node] */
    uint32_t nbegun, ndone;
    double all_begun, all_done;
};

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool begins(const struct sca_task_graph *g, uint32_t node, bool receive)
{
    static const char *const receives[] = {"MPI_Irecv", "MPI_Imrecv"};
    static const char *const either[] = {"MPI_Start", "MPI_Startall", "MPI_Isendrecv",
                                         "MPI_Isendrecv_replace"};
    uint32_t v = g->nodes[node].vertex;
    const char *name = v == SCA_NONE ? "" : g->ppg->vertices[v].name;
    return receive ? is_one_of(name, receives, sizeof receives / sizeof *receives)
                   : is_one_of(name, either, sizeof either / sizeof *either);
}

/* Completions are calls of which none begins what it completes: not MPI_Recv. */
static bool completes(const struct sca_task_graph *g, uint32_t node)
{
    uint32_t v = g->nodes[node].vertex;
    const char *name = v == SCA_NONE ? "" : g->ppg->vertices[v].name;
    return !strncmp(name, "MPI_Wait", strlen("MPI_Wait")) ||
           !strncmp(name, "MPI_Test", strlen("MPI_Test"));
}

/* False: some calls may begin requests of several kinds. */
static bool count(struct requests *r, struct totals *t)
{
    struct sca_task_graph *g = r->g;
    t->begun = sca_workspace_alloc(g->space, g->nnodes, sizeof *t->begun);
    t->done = sca_workspace_alloc(g->space, g->nnodes, sizeof *t->done);
    for (uint32_t i = 0; i < r->rank->nsites; i++) {
        const struct sca_site_total *s = &r->rank->sites[i];
        uint32_t node = s->count && s->site ? sca_task_graph_call(g, s->site) : SCA_NONE;
        if (node == SCA_NONE)
            continue;
        if (begins(g, node, false))
            return false;
        if (begins(g, node, true))
            t->begun[node] += (double)s->count;
    }
    for (uint32_t i = 0; i < r->rank->npeers; i++) {
        const struct sca_part_peer *p = &r->rank->peers[i];
        uint32_t node = p->direction == SCA_RECEIVED ? sca_task_graph_call(g, p->site) : SCA_NONE;
        if (node != SCA_NONE && completes(g, node))
            t->done[node] += (double)p->count;
    }
    for (uint32_t i = 0; i < g->nnodes; i++) {
        t->nbegun += t->begun[i] > 0;
        t->ndone += t->done[i] > 0;
        t->all_begun += t->begun[i];
        t->all_done += t->done[i];
    }
    return t->nbegun && t->ndone;
}

static bool set_counts(struct requests *r, const struct totals *t)
{
    bool exact = t->ndone == 1 && t->all_begun == t->all_done; /* else some were of MPI_PROC_NULL */
    if (t->nbegun > 1 && !exact)
        return false;
    for (uint32_t from = 0; from < r->g->nnodes; from++)
        for (uint32_t to = 0; t->begun[from] > 0 && to < r->g->nnodes; to++)
            if (t->done[to] > 0)
                sca_task_graph_edge(r->g, SCA_TASK_COMPLETES, from, to)->times.count +=
                    t->nbegun == 1 ? t->done[to] : t->begun[from];
    return true;
}

void sca_task_requests_add(struct sca_task_graph *g, const struct sca_rank *rank)
{
    struct requests r = {.g = g, .rank = rank};
    struct totals totals = {0};
    collect(&r);
    join(&r, count(&r, &totals) && set_counts(&r, &totals));
}
