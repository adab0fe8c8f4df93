#include "export/otf2_events.h"
#include "export/trace_names.h"
#include "timeline/by_length.h"
#include "timeline/slice_replay.h"

#include <math.h>

struct otf2_making {
    struct sca_workspace *space;
    const struct sca_ppg_run *run;
    struct sca_by_length by_length;
    struct sca_otf2_events *out;
    uint32_t *region[2]; /* per vertex that computes, and that is called: number + 1 */
    uint32_t room;
    struct sca_slice_replay play;
    uint64_t begin; /* ns, of the piece at hand */
    uint32_t rank, at;
};

static uint32_t region_of(struct otf2_making *m, uint32_t vertex, bool call)
{
    struct sca_otf2_events *out = m->out;
    uint32_t *number = &m->region[call][vertex];
    if (*number)
        return *number - 1;
    if (out->nregions == m->room) {
        uint32_t room = m->room ? 2 * m->room : 64;
        out->regions =
            sca_workspace_grow(m->space, out->regions, out->nregions, room, sizeof *out->regions);
        m->room = room;
    }
    out->regions[out->nregions] = (struct sca_otf2_region){vertex, call};
    *number = ++out->nregions;
    return *number - 1;
}

static void add(struct otf2_making *m, struct sca_otf2_event event)
{
    struct sca_otf2_list *list = &m->out->ranks[m->rank];
    if (list->n == list->room) {
        uint32_t room = list->room ? 2 * list->room : 256;
        list->of = sca_workspace_grow(m->space, list->of, list->n, room, sizeof *list->of);
        list->room = room;
    }
    if (list->n && event.time < list->of[list->n - 1].time)
        event.time = list->of[list->n - 1].time;
    list->of[list->n++] = event;
    m->out->end = event.time > m->out->end ? event.time : m->out->end;
}

static uint64_t time_of(const struct otf2_making *m, double seconds)
{
    return m->begin + (uint64_t)llround(1e9 * fmax(seconds, 0));
}

static void add_computation(struct otf2_making *m, uint32_t event, uint64_t enter)
{
    const struct sca_replay *replay = &m->play.replay;
    uint64_t begin = time_of(m, replay->enter[event] - replay->interval[event]);
    struct sca_trace_event call = sca_trace_event_of(&m->play.trace.sequences[m->rank], m->at);
    if (begin >= enter)
        return;
    uint32_t place = sca_by_length_place(&m->by_length, m->rank, call, replay->interval[event]);
    uint32_t region = region_of(m, place, false);
    add(m, (struct sca_otf2_event){.time = begin, .what = SCA_OTF2_ENTER, .of = region});
    add(m, (struct sca_otf2_event){.time = enter, .what = SCA_OTF2_LEAVE, .of = region});
}

/* What begins with the call, or ends with it. Collectives that do not block are only calls. */
static void add_op(struct otf2_making *m, const struct sca_op *op, uint64_t time, bool begins)
{
    bool message = op->kind == (begins ? SCA_OP_SEND : SCA_OP_RECV);
    if ((!message && op->kind != SCA_OP_COLLECTIVE) || op->comm >= m->run->profile->ncomms ||
        (message && op->peer < 0))
        return;
    uint8_t what = message ? (begins ? SCA_OTF2_SEND : SCA_OTF2_RECEIVE)
                           : (begins ? SCA_OTF2_MEET : SCA_OTF2_PART);
    add(m, (struct sca_otf2_event){.time = time,
                                   .what = what,
                                   .of = op->comm,
                                   .peer = op->peer,
                                   .tag = op->tag,
                                   .bytes = op->bytes});
}

static void add_call(void *context, const struct sca_window *window, const struct sca_event *e)
{
    struct otf2_making *m = context;
    const struct sca_replay *replay = &m->play.replay;
    uint32_t event = sca_replay_at(replay, m->rank, m->at);
    uint64_t enter = time_of(m, replay->enter[event]);
    uint64_t leave = time_of(m, sca_replay_exit(replay, event));
    uint32_t region = region_of(m, sca_trace_names_vertex(m->run, e->site), true);
    add_computation(m, event, enter);
    add(m, (struct sca_otf2_event){.time = enter, .what = SCA_OTF2_ENTER, .of = region});
    for (uint32_t i = 0; i < e->nops; i++)
        add_op(m, &window->ops[e->first_op + i], enter, true);
    for (uint32_t i = 0; i < e->nops; i++)
        add_op(m, &window->ops[e->first_op + i], leave, false);
    add(m, (struct sca_otf2_event){.time = leave, .what = SCA_OTF2_LEAVE, .of = region});
    m->at++;
}

/* Pieces do not overlap, though a replay may last longer than the clock said. */
static void add_piece(struct otf2_making *m, const struct sca_piece *piece)
{
    struct sca_opened *opened = sca_workspace_opened(m->space, m->run->profile);
    sca_slice_replay_make(m->space, m->run, piece->slices, &m->play);
    m->begin = piece->begin_ns > m->begin ? piece->begin_ns : m->begin;
    for (m->rank = 0; m->rank < m->run->nranks; m->rank++) {
        m->at = 0;
        sca_slice_walk(sca_rank_open(opened, m->rank, SCA_OPEN_WINDOWS), &piece->slices[m->rank],
                       add_call, m);
    }
    m->begin = time_of(m, m->play.replay.end) + 1;
}

void sca_otf2_events_make(struct sca_workspace *space, const struct sca_ppg *ppg,
                          const struct sca_ppg_run *run, const struct sca_pieces *pieces,
                          struct sca_otf2_events *out)
{
    struct otf2_making m = {.space = space, .run = run, .out = out};
    sca_by_length_find(space, ppg, run, &m.by_length);
    *out = (struct sca_otf2_events){0};
    out->ranks = sca_workspace_alloc(space, run->nranks, sizeof *out->ranks);
    for (int i = 0; i < 2; i++)
        m.region[i] = sca_workspace_alloc(space, ppg->nvertices, sizeof *m.region[i]);
    for (uint32_t i = 0; i < pieces->count; i++)
        add_piece(&m, &pieces->of[i]);
}
