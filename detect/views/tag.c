/* The task activity graph of one rank, with the messages from and to it. */
#include "trace/replay_trace.h"
#include "views/call_names.h"
#include "views/task_rows.h"
#include "sca_error.h"
#include "views/view.h"
#include "views/whole_run.h"

#include <math.h>

static void add_messages(struct sca_task_rows *rows, const struct sca_task_source *source,
                         uint32_t rank, enum sca_direction direction)
{
    uint32_t *peers, n = sca_task_messages_peers(rows->in->space, source, rank, direction, &peers);
    bool sent = direction == SCA_SENT;
    if (n)
        sca_task_rows_heading(rows, sent ? "Messages sent" : "Messages received");
    for (uint32_t i = 0; i < n; i++) {
        struct sca_task_messages of;
        sca_task_messages_between(rows->in->space, source, sent ? rank : peers[i],
                                  sent ? peers[i] : rank, &of);
        for (uint32_t k = 0; k < of.count; k++) {
            const struct sca_task_message *m = &of.of[k];
            const char *other =
                sca_call_name(rows->out, rows->in->ppg, sent ? m->receive : m->send);
            sca_task_rows_message(
                rows, m,
                sca_table_text(rows->out, "%s rank %u: %s", sent ? "to" : "from", peers[i], other),
                (double)NAN);
        }
    }
}

/* Of the rank, by call and root. */
static void add_collectives(struct sca_task_rows *rows, const struct sca_task_source *source,
                            uint32_t number)
{
    const struct sca_rank *rank = sca_rank_open(source->opened, number, SCA_OPEN_COLLECTIVES);
    const struct sca_ppg_run *run = source->run;
    bool any = false;
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        const struct sca_part_collective *c = &rank->collectives[i];
        uint32_t vertex = run->site_vertex[c->site];
        if (vertex == SCA_NONE || !c->count ||
            sca_collective_shape(run->profile->sites[c->site].function) < 0)
            continue;
        if (!any)
            sca_task_rows_heading(rows, "Collectives, with the root or all members");
        any = true;
        const char *with =
            c->root < 0 ? "all members" : sca_table_text(rows->out, "root %d", c->root);
        sca_task_rows_collective(
            rows, vertex, (double)c->count, (double)c->bytes,
            sca_table_text(rows->out, "%s, %s of %u ranks",
                           sca_call_name(rows->out, rows->in->ppg, vertex), with,
                           c->comm < run->profile->ncomms ? run->profile->comms[c->comm].size : 0));
    }
}

static int check(const struct sca_view_input *in, const struct sca_ppg_run *run)
{
    uint32_t rank = in->settings->rank;
    if (rank >= run->nranks)
        return sca_fail(SCA_EINVAL, "--rank=%u: the run has ranks 0 to %u", rank, run->nranks - 1);
    if (!run->profile->ranks[rank].present)
        return sca_fail(SCA_ENOTFOUND, "--rank=%u: this rank left nothing", rank);
    return SCA_OK;
}

void sca_view_tag(const struct sca_view_input *in, struct sca_table *out)
{
    const struct sca_ppg_run *run = &in->ppg->runs[in->ppg->nruns - 1];
    out->status = check(in, run);
    if (out->status != SCA_OK)
        return;
    struct sca_profile *whole = sca_whole_run_load(in, run);
    uint32_t *ends = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *ends);
    const struct sca_task_source source = {
        in->ppg, run, whole, sca_workspace_opened(in->space, run->profile), ends, NULL};
    sca_ppg_ends(in->ppg, ends);
    struct sca_task_graph *graph = sca_task_graph_begin(in->space, &source);
    struct sca_task_rows rows = {.in = in, .graph = graph, .out = out};
    sca_task_graph_add(graph, &source, in->settings->rank);
    sca_task_graph_finish(graph);
    sca_profile_free(whole);
    sca_task_rows_columns(out);
    out->title = sca_table_text(out, "%s on %u ranks: task activity graph of rank %u",
                                in->ppg->program, run->nranks, in->settings->rank);
    sca_task_rows_add(&rows);
    add_messages(&rows, &source, in->settings->rank, SCA_SENT);
    add_messages(&rows, &source, in->settings->rank, SCA_RECEIVED);
    add_collectives(&rows, &source, in->settings->rank);
    sca_task_rows_phases(&rows);
    sca_task_rows_note(&rows);
}
