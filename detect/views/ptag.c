/* The parallel task activity graph: ranks with the same graph as one, and the messages between
 * these classes. */
#include "activity/rank_shapes.h"
#include "base/compare.h"
#include "sca_phrase.h"
#include "sca_report.h"
#include "views/call_names.h"
#include "views/task_rows.h"
#include "views/view.h"
#include "views/whole_run.h"

#include <math.h>
#include <stdlib.h>

struct flow { /* messages between the same two calls of the same two classes */
    uint32_t from, to;
    uint32_t pairs;
    struct sca_task_message sum;
};

struct showing_ptag {
    const struct sca_view_input *in;
    struct sca_task_source source;
    struct sca_rank_shapes shapes;
    const char **names; /* [shape] */
    struct sca_task_rows rows;
    struct flow *flows;
    size_t nflows, room;
};

/* ---- classes ---- */

static const char *name_of(const struct showing_ptag *p, uint32_t shape)
{
    uint32_t *ranks = sca_workspace_alloc(p->in->space, p->shapes.members[shape], sizeof *ranks);
    uint32_t n = 0;
    char text[SCA_PHRASE];
    for (uint32_t r = 0; r < p->source.run->nranks; r++)
        if (p->shapes.of[r] == shape)
            ranks[n++] = r;
    const struct sca_report_run run = {.ranks = p->source.run->nranks};
    sca_phrase_ranks(text, &run, ranks, n);
    return sca_table_text(p->rows.out, "%s", text);
}

static void add_class(struct showing_ptag *p, uint32_t shape)
{
    struct sca_task_graph *graph = sca_task_graph_begin(p->in->space, &p->source);
    for (uint32_t r = p->shapes.first[shape]; r < p->source.run->nranks; r++)
        if (p->shapes.of[r] == shape)
            sca_task_graph_add(graph, &p->source, r);
    sca_task_graph_finish(graph);
    p->rows.graph = graph;
    p->rows.class_name = sca_table_text(p->rows.out, "%u", shape + 1);
    sca_task_rows_heading(&p->rows,
                          sca_table_text(p->rows.out, "Class %u: %s", shape + 1, p->names[shape]));
    sca_task_rows_add(&p->rows);
}

/* ---- messages ---- */

static int by_flow(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;
    SCA_ORDER(x->from, y->from);
    SCA_ORDER(x->to, y->to);
    SCA_ORDER(x->sum.send, y->sum.send);
    SCA_ORDER(x->sum.receive, y->sum.receive);
    SCA_ORDER(x->sum.from, y->sum.from);
    SCA_ORDER(x->sum.to, y->sum.to);
    return 0;
}

static bool is_one_flow(const struct flow *x, const struct flow *y)
{
    return x->from == y->from && x->to == y->to && x->sum.send == y->sum.send &&
           x->sum.receive == y->sum.receive;
}

static void add_message(struct showing_ptag *p, const struct sca_task_message *m)
{
    if (p->nflows == p->room) {
        size_t room = p->room ? 2 * p->room : 256;
        p->flows = sca_workspace_grow(p->in->space, p->flows, p->nflows, room, sizeof *p->flows);
        p->room = room;
    }
    p->flows[p->nflows++] = (struct flow){p->shapes.of[m->from], p->shapes.of[m->to], 1, *m};
}

static void collect(struct showing_ptag *p)
{
    for (uint32_t r = 0; r < p->source.run->nranks; r++) {
        struct sca_workspace scratch = {.out_of_memory = p->in->space->out_of_memory};
        uint32_t *peers = NULL, n = 0;
        if (p->shapes.of[r] != SCA_NONE)
            n = sca_task_messages_peers(&scratch, &p->source, r, SCA_RECEIVED, &peers);
        for (uint32_t i = 0; i < n; i++) {
            struct sca_task_messages of = {0};
            if (p->shapes.of[peers[i]] != SCA_NONE)
                sca_task_messages_between(&scratch, &p->source, peers[i], r, &of);
            for (uint32_t k = 0; k < of.count; k++)
                add_message(p, &of.of[k]);
        }
        sca_workspace_free(&scratch);
    }
}

/* Of the two, what is known of both is known. */
static void unite(struct flow *to, const struct flow *from)
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
}

static void add_flow(struct showing_ptag *p, const struct flow *f)
{
    struct sca_task_rows *rows = &p->rows;
    const char *label =
        sca_table_text(rows->out, "class %u, %s to class %u, %s; %u pair%s of ranks", f->from + 1,
                       sca_call_name(rows->out, rows->in->ppg, f->sum.send), f->to + 1,
                       sca_call_name(rows->out, rows->in->ppg, f->sum.receive), f->pairs,
                       f->pairs == 1 ? "" : "s");
    rows->class_name = sca_table_text(rows->out, "%u > %u", f->from + 1, f->to + 1);
    sca_task_rows_message(rows, &f->sum, label, f->pairs);
}

static void add_messages(struct showing_ptag *p)
{
    collect(p);
    if (!p->nflows)
        return;
    qsort(p->flows, p->nflows, sizeof *p->flows, by_flow);
    p->rows.class_name = NULL;
    sca_task_rows_heading(&p->rows, "Messages between classes");
    for (size_t i = 0, end; i < p->nflows; i = end) {
        struct flow sum = p->flows[i];
        for (end = i + 1; end < p->nflows && is_one_flow(&sum, &p->flows[end]); end++)
            unite(&sum, &p->flows[end]);
        add_flow(p, &sum);
    }
}

void sca_view_ptag(const struct sca_view_input *in, struct sca_table *out)
{
    const struct sca_ppg_run *run = &in->ppg->runs[in->ppg->nruns - 1];
    struct sca_profile *whole = sca_whole_run_load(in, run);
    uint32_t *ends = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *ends);
    struct showing_ptag p = {
        .in = in,
        .source = {in->ppg, run, whole, sca_workspace_opened(in->space, run->profile), ends},
        .rows = {.in = in, .out = out}};
    sca_ppg_ends(in->ppg, ends);
    sca_rank_shapes_find(in->space, &p.source, &p.shapes);
    sca_task_rows_columns(out);
    p.names = sca_workspace_alloc(in->space, p.shapes.n, sizeof *p.names);
    for (uint32_t i = 0; i < p.shapes.n; i++)
        p.names[i] = name_of(&p, i);
    out->title =
        sca_table_text(out,
                       "%s on %u ranks: parallel task activity graph, %u class%s of "
                       "ranks with the same graph",
                       in->ppg->program, run->nranks, p.shapes.n, p.shapes.n == 1 ? "" : "es");
    for (uint32_t i = 0; i < p.shapes.n; i++)
        add_class(&p, i);
    add_messages(&p);
    sca_profile_free(whole);
    sca_task_rows_note(&p.rows);
}
