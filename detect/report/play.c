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

double sca_play_shown(struct sca_analysis *c, const struct sca_replay *replay,
                      const struct sca_report_timeline *rows)
{
    uint32_t n = 0;
    double *begins =
        sca_workspace_alloc(c->space, 2 * (size_t)replay->trace->nevents + 1, sizeof *begins);
    for (uint32_t k = 0; k < rows->nrows; k++)
        for (uint32_t i = 0; i < replay->trace->sequences[rows->ranks[k]].nevents; i++) {
            uint32_t event = sca_replay_at(replay, rows->ranks[k], i);
            begins[n++] = replay->enter[event];
            if (sca_replay_waited(replay, event) > 0)
                begins[n++] = replay->enter[event];
        }
    qsort(begins, n, sizeof *begins, by_time);
    return n > SCA_PLAY_MOST_SPANS ? begins[SCA_PLAY_MOST_SPANS] : replay->end;
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
    p->out->spans[p->out->nspans++] = (struct sca_report_span){
        .begin = end - p->replay->interval[event],
        .end = end,
        .row = row,
        .vertex =
            sca_ppg_vertex_between(p->c->ppg, vertex_of(p, call.previous), vertex_of(p, call.site)),
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
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t event = sca_replay_at(p->replay, rank, i);
        struct sca_trace_event call = sca_trace_event_of(sequence, i);
        if (p->replay->enter[event] - p->replay->interval[event] > p->rows->shown)
            break;
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

static uint32_t row_of(const struct playing *p, uint32_t event)
{
    return p->row[sca_replay_rank(p->replay, event)];
}

static void add_message(struct playing *p, uint32_t event, uint32_t sender)
{
    struct sca_report_message m = {row_of(p, sender), row_of(p, event), p->replay->enter[sender],
                                   sca_replay_exit(p->replay, event)};
    if (m.from != NO_ROW && m.to != NO_ROW && m.sent <= p->rows->shown)
        p->out->messages[p->out->nmessages++] = m;
}

static void add_messages(struct playing *p)
{
    const struct sca_replay_links *links = p->replay->links;
    uint32_t n = links->first_input[p->replay->trace->nevents];
    p->out->messages = sca_report_memory_take(p->c, n + 1, sizeof *p->out->messages);
    for (uint32_t event = 0; event < p->replay->trace->nevents; event++)
        for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
            if (links->kind[i] == SCA_OP_RECV && links->input[i] != SCA_NO_EVENT)
                add_message(p, event, links->input[i]);
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
    if (m.low == NO_ROW || m.low == m.high || m.first > p->rows->shown)
        return;
    m.vertex = vertex_of(p, sca_replay_event(p->replay, members[0]).site);
    p->out->meetings[p->out->nmeetings++] = m;
}

static void add_meetings(struct playing *p)
{
    const struct sca_replay_links *links = p->replay->links;
    p->out->meetings = sca_report_memory_take(p->c, links->ngroups + 1, sizeof *p->out->meetings);
    for (uint32_t g = 0; g < links->ngroups; g++)
        if (links->groups[g].nmembers > 1)
            add_meeting(p, &links->groups[g]);
}

void sca_play_fill(struct sca_analysis *c, const struct sca_replay *replay,
                   const struct sca_report_timeline *rows, struct sca_report_play *out)
{
    struct playing p = {
        .c = c, .run = &c->ppg->runs[c->last], .replay = replay, .rows = rows, .out = out};
    size_t most = 0;
    p.row = sca_workspace_alloc(c->space, replay->trace->nranks, sizeof *p.row);
    p.critical = sca_workspace_alloc(c->space, replay->trace->nevents, sizeof *p.critical);
    memset(p.row, 0xff, replay->trace->nranks * sizeof *p.row);
    for (uint32_t k = 0; k < rows->nrows; k++) {
        p.row[rows->ranks[k]] = k;
        most += 2 * (size_t)replay->trace->sequences[rows->ranks[k]].nevents;
    }
    struct sca_window_efficiency efficiency = sca_window_efficiency_of(replay);
    out->end = replay->end;
    out->load_balance = efficiency.load_balance;
    out->serialisation = efficiency.serialisation;
    out->spans = sca_report_memory_take(c, most + 1, sizeof *out->spans);
    find_critical(&p);
    for (uint32_t k = 0; k < rows->nrows; k++)
        add_row(&p, k);
    add_messages(&p);
    add_meetings(&p);
}
