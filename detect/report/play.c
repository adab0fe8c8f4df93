#include "report/play.h"
#include "replay/critical_walk.h"
#include "replay/links.h"
#include "replay/wait_state.h"
#include "report/report_memory.h"
#include "timeline/window_efficiency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_ROW = UINT32_MAX };

struct playing {
    struct sca_analysis *c;
    const struct sca_ppg_run *run;
    const struct sca_replay *replay;
    const struct sca_report_timeline *rows;
    struct sca_by_length *by_length;
    struct sca_report_play *out;
    uint32_t *row;  /* per rank; NO_ROW */
    bool *critical; /* per event */
};

const char *const *sca_play_kinds(struct sca_analysis *c, uint32_t *n)
{
    const char **names = sca_report_memory_take(c, 1 + SCA_WAIT_CLASSES, sizeof *names);
    names[SCA_TIMELINE_COMPUTES] = "computes";
    for (int i = 0; i < SCA_WAIT_CLASSES; i++)
        names[1 + i] = sca_wait_state_class_name((enum sca_wait_class)i);
    *n = 1 + SCA_WAIT_CLASSES;
    return names;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of a rank, those whose computation begins by then. */
static uint32_t calls_until(const struct sca_replay *replay, uint32_t rank, double shown)
{
    uint32_t n = 0;
    for (; n < replay->trace->sequences[rank].nevents; n++) {
        uint32_t event = sca_replay_at(replay, rank, n);
        if (replay->enter[event] - replay->interval[event] > shown)
            break;
    }
    return n;
}

double sca_play_shown(struct sca_analysis *c, const struct sca_replay *replay,
                      const struct sca_report_timeline *rows)
{
    uint32_t n = 0;
    double *begins =
        sca_workspace_alloc(c->space, 2 * (size_t)replay->trace->nevents + 1, sizeof *begins);
    for (uint32_t k = 0; k < rows->nrows; k++)
        for (uint32_t i = 0; i < replay->trace->sequences[rows->ranks[k]].nevents; i++) {
            uint32_t event = sca_replay_at(replay, rows->ranks[k], i);
            begins[n++] = replay->enter[event] - replay->interval[event];
            if (sca_replay_waited(replay, event) > 0)
                begins[n++] = replay->enter[event];
        }
    qsort(begins, n, sizeof *begins, by_time);
    double shown = n > SCA_PLAY_MOST_SPANS ? begins[SCA_PLAY_MOST_SPANS] : replay->end;
    for (uint32_t k = 0; k < rows->nrows; k++)
        rows->calls[k] = calls_until(replay, rows->ranks[k], shown);
    return shown;
}

static uint32_t vertex_of(const struct playing *p, uint32_t site)
{
    uint32_t vertex = site < p->run->profile->nsites ? p->run->site_vertex[site] : SCA_NONE;
    return vertex == SCA_NONE ? 0 : vertex;
}

/* ---- spans ---- */

static void add_computation(struct playing *p, uint32_t row, uint32_t event,
                            struct sca_trace_event call)
{
    double end = p->replay->enter[event];
    p->out->spans[p->out->nspans++] =
        (struct sca_report_span){.begin = end - p->replay->interval[event],
                                 .end = end,
                                 .row = row,
                                 .vertex = sca_by_length_place(p->by_length, p->rows->ranks[row],
                                                               call, p->replay->interval[event]),
                                 .by = NO_ROW,
                                 .critical = p->critical[event]};
}

static void add_wait(struct playing *p, uint32_t row, uint32_t event, struct sca_trace_event call)
{
    const struct sca_replay *replay = p->replay;
    p->out->spans[p->out->nspans++] = (struct sca_report_span){
        .begin = replay->enter[event],
        .end = sca_replay_exit(replay, event),
        .row = row,
        .vertex = vertex_of(p, call.site),
        .by = sca_replay_rank(replay, replay->waited_for[event]),
        .kind = (uint8_t)(1 + sca_wait_state_classify(replay, p->run, event))};
}

static void add_row(struct playing *p, uint32_t row)
{
    uint32_t rank = p->rows->ranks[row];
    const struct sca_event_sequence *sequence = &p->replay->trace->sequences[rank];
    for (uint32_t i = 0; i < p->rows->calls[row]; i++) {
        uint32_t event = sca_replay_at(p->replay, rank, i);
        struct sca_trace_event call = sca_trace_event_of(sequence, i);
        if (p->replay->interval[event] > 0)
            add_computation(p, row, event, call);
        if (sca_replay_waited(p->replay, event) > 0)
            add_wait(p, row, event, call);
    }
}

static void find_critical(struct playing *p)
{
    struct sca_critical_walk walk;
    sca_critical_walk_begin(&walk, p->replay, p->run->profile);
    for (uint32_t at; (at = sca_critical_walk_next(&walk)) != SCA_NO_EVENT;)
        p->critical[at] = true;
}

/* ---- messages and collectives ---- */

/* NO_ROW: it is not shown. */
static uint32_t row_of(const struct playing *p, uint32_t event)
{
    uint32_t rank = sca_replay_rank(p->replay, event), row = p->row[rank];
    return row != NO_ROW && sca_replay_place(p->replay, rank, event) < p->rows->calls[row] ? row
                                                                                           : NO_ROW;
}

static void add_message(struct playing *p, uint32_t event, uint32_t sender)
{
    uint32_t from = row_of(p, sender), to = row_of(p, event);
    if (from != NO_ROW)
        p->out->messages[p->out->nmessages++] = (struct sca_report_message){
            from, to, p->replay->enter[sender], sca_replay_exit(p->replay, event)};
}

static void add_meeting(struct playing *p, const struct sca_group *g)
{
    const uint32_t *members = p->replay->links->members + g->first;
    struct sca_report_meeting m = {.low = NO_ROW, .first = INFINITY};
    for (uint32_t i = 0; i < g->nmembers; i++) {
        double enter = p->replay->enter[members[i]];
        uint32_t row = row_of(p, members[i]);
        m.first = fmin(m.first, enter);
        m.last = fmax(m.last, enter);
        if (row == NO_ROW)
            continue;
        m.high = m.low == NO_ROW || row > m.high ? row : m.high;
        m.low = row < m.low ? row : m.low;
    }
    if (m.low == NO_ROW || m.low == m.high)
        return;
    m.vertex = vertex_of(p, sca_replay_event(p->replay, members[0]).site);
    p->out->meetings[p->out->nmeetings++] = m;
}

/* What the calls that are shown wait for, with `met` [collective]: else only how much it is. */
static uint32_t walk_inputs(struct playing *p, bool *met)
{
    const struct sca_replay_links *links = p->replay->links;
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->rows->nrows; k++)
        for (uint32_t c = 0; c < p->rows->calls[k]; c++) {
            uint32_t event = sca_replay_at(p->replay, p->rows->ranks[k], c);
            n += links->first_input[event + 1] - links->first_input[event];
            for (uint32_t i = links->first_input[event]; met && i < links->first_input[event + 1];
                 i++) {
                uint32_t input = links->input[i];
                if (links->kind[i] == SCA_OP_RECV && input != SCA_NO_EVENT)
                    add_message(p, event, input);
                if (sca_input_is_collective(links->kind[i]) && !met[input])
                    add_meeting(p, &links->groups[input]);
                if (sca_input_is_collective(links->kind[i]))
                    met[input] = true;
            }
        }
    return n;
}

static void add_edges(struct playing *p)
{
    uint32_t most = walk_inputs(p, NULL);
    bool *met = sca_workspace_alloc(p->c->space, p->replay->links->ngroups + 1ul, sizeof *met);
    p->out->messages = sca_report_memory_take(p->c, most + 1ul, sizeof *p->out->messages);
    p->out->meetings = sca_report_memory_take(p->c, most + 1ul, sizeof *p->out->meetings);
    walk_inputs(p, met);
}

void sca_play_fill(struct sca_analysis *c, const struct sca_replay *replay,
                   const struct sca_report_timeline *rows, struct sca_by_length *by_length,
                   struct sca_report_play *out)
{
    struct playing p = {.c = c,
                        .run = &c->ppg->runs[c->last],
                        .replay = replay,
                        .rows = rows,
                        .by_length = by_length,
                        .out = out};
    size_t most = 0;
    p.row = sca_workspace_alloc(c->space, replay->trace->nranks, sizeof *p.row);
    p.critical = sca_workspace_alloc(c->space, replay->trace->nevents, sizeof *p.critical);
    memset(p.row, 0xff, replay->trace->nranks * sizeof *p.row);
    for (uint32_t k = 0; k < rows->nrows; k++) {
        p.row[rows->ranks[k]] = k;
        most += 2 * (size_t)rows->calls[k];
    }
    struct sca_window_efficiency efficiency = sca_window_efficiency_of(replay);
    out->end = replay->end;
    out->load_balance = efficiency.load_balance;
    out->serialisation = efficiency.serialisation;
    out->spans = sca_report_memory_take(c, most + 1, sizeof *out->spans);
    find_critical(&p);
    for (uint32_t k = 0; k < rows->nrows; k++)
        add_row(&p, k);
    add_edges(&p);
}
