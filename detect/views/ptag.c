/* The parallel task activity graph: ranks with the same graph as one, and the messages between
 * these classes. */
#include "activity/rank_roles.h"
#include "activity/rank_summary.h"
#include "activity/shape_collectives.h"
#include "activity/shape_flows.h"
#include "sca_phrase.h"
#include "sca_report.h"
#include "views/call_names.h"
#include "views/task_rows.h"
#include "views/view.h"
#include "views/whole_run.h"

#include <math.h>
#include <stdlib.h>

struct showing_ptag {
    const struct sca_view_input *in;
    struct sca_task_source source;
    struct sca_rank_shapes shapes;
    const enum sca_rank_role *roles;
    const char **names; /* [shape] */
    struct sca_task_rows rows;
};

/* ---- classes ---- */

/* "corner, ranks 0, 7" */
static const char *name_of(const struct showing_ptag *p, uint32_t shape)
{
    char text[SCA_PHRASE];
    const struct sca_report_run run = {.ranks = p->source.run->nranks};
    sca_phrase_ranks(text, &run, p->shapes.ranks[shape], p->shapes.members[shape]);
    const char *role = sca_rank_role_name(p->roles[p->shapes.first[shape]]);
    return sca_table_text(p->rows.out, "%s%s%s", role, *role ? ", " : "", text);
}

/* All of them, before what each does. */
static void add_list(struct showing_ptag *p)
{
    if (p->shapes.n < 2)
        return;
    sca_task_rows_heading(&p->rows, "Classes");
    for (uint32_t i = 0; i < p->shapes.n; i++)
        sca_task_rows_heading(&p->rows,
                              sca_table_text(p->rows.out, "  %u: %s", i + 1, p->names[i]));
}

static void add_class(struct showing_ptag *p, uint32_t shape)
{
    struct sca_task_graph *graph = sca_task_graph_begin(p->in->space, &p->source);
    for (uint32_t i = 0; i < p->shapes.members[shape]; i++)
        sca_task_graph_add(graph, &p->source, p->shapes.ranks[shape][i]);
    sca_task_graph_finish(graph);
    p->rows.graph = graph;
    p->rows.class_name = sca_table_text(p->rows.out, "%u", shape + 1);
    sca_task_rows_heading(&p->rows,
                          sca_table_text(p->rows.out, "Class %u: %s", shape + 1, p->names[shape]));
    sca_task_rows_add(&p->rows);
}

/* ---- messages ---- */

static void add_flow(struct showing_ptag *p, const struct sca_shape_flow *f)
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
    struct sca_shape_flows flows;
    sca_shape_flows_find(p->in->space, &p->source, &p->shapes, &flows);
    p->rows.class_name = NULL;
    if (flows.count)
        sca_task_rows_heading(&p->rows, "Messages between classes");
    for (size_t i = 0; i < flows.count; i++)
        add_flow(p, &flows.of[i]);
}

static void add_collectives(struct showing_ptag *p)
{
    struct sca_shape_collectives of;
    sca_shape_collectives_find(p->in->space, &p->source, &p->shapes, &of);
    p->rows.class_name = NULL;
    if (of.count)
        sca_task_rows_heading(&p->rows, "Collectives between classes");
    for (size_t i = 0; i < of.count; i++) {
        const struct sca_shape_collective *c = &of.of[i];
        p->rows.class_name = sca_table_text(p->rows.out, "%u > %u", c->from + 1, c->to + 1);
        sca_task_rows_collective(&p->rows, c->vertex, c->calls, c->bytes,
                                 sca_table_text(p->rows.out, "class %u to class %u, %s",
                                                c->from + 1, c->to + 1,
                                                sca_call_name(p->rows.out, p->in->ppg, c->vertex)));
    }
}

void sca_view_ptag(const struct sca_view_input *in, struct sca_table *out)
{
    const struct sca_ppg_run *run = &in->ppg->runs[in->ppg->nruns - 1];
    struct sca_profile *whole = sca_whole_run_load(in, run);
    uint32_t *ends = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *ends);
    struct showing_ptag p = {
        .in = in,
        .source = {in->ppg, run, whole, sca_workspace_opened(in->space, run->profile), ends, NULL},
        .rows = {.in = in, .out = out}};
    sca_ppg_ends(in->ppg, ends);
    p.source.summary = sca_rank_summary_of(in->space, &p.source);
    sca_rank_shapes_find(in->space, &p.source, &p.shapes);
    struct sca_rank_peers peers;
    sca_rank_peers_find(in->space, &p.source, &peers);
    p.roles = sca_rank_roles_find(in->space, &p.source, &peers);
    sca_task_rows_columns(out);
    p.names = sca_workspace_alloc(in->space, p.shapes.n, sizeof *p.names);
    for (uint32_t i = 0; i < p.shapes.n; i++)
        p.names[i] = name_of(&p, i);
    out->title =
        sca_table_text(out,
                       "%s on %u ranks: parallel task activity graph, %u class%s of "
                       "ranks with the same graph",
                       in->ppg->program, run->nranks, p.shapes.n, p.shapes.n == 1 ? "" : "es");
    add_list(&p);
    for (uint32_t i = 0; i < p.shapes.n; i++)
        add_class(&p, i);
    add_messages(&p);
    add_collectives(&p);
    sca_profile_free(whole);
    sca_task_rows_phases(&p.rows);
    sca_task_rows_note(&p.rows);
}
