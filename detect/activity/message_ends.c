#include "activity/message_ends.h"
#include "base/compare.h"

#include <math.h>
#include <stdlib.h>

struct single { /* a message, as one side recorded it */
    uint32_t comm;
    int32_t tag;
    uint64_t number, bytes;
    uint32_t side;
    double time; /* send: entered, receive: left, ns on the run's time line; NAN */
};

struct finding_ends {
    struct sca_workspace *space;
    const struct sca_task_source *source;
    const struct sca_rank *rank; /* the one that is open */
    int32_t peer;
    int direction;
    struct sca_message_ends *out;
    struct single *singles[2];
    size_t n[2], room[2];
};

/* ---- sides ---- */

static uint32_t vertex_of(const struct finding_ends *f, uint32_t site)
{
    const struct sca_ppg_run *run = f->source->run;
    return site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
}

static bool is_between(const struct finding_ends *f, const struct sca_part_peer *p)
{
    return p->peer == f->peer && (int)p->direction == f->direction &&
           vertex_of(f, p->site) != SCA_NONE;
}

/* SCA_NONE: no totals of such a call. */
static uint32_t side_of(const struct finding_ends *f, uint32_t comm, uint32_t vertex)
{
    for (uint32_t i = 0; i < f->out->nsides[f->direction]; i++) {
        const struct sca_message_side *s = &f->out->sides[f->direction][i];
        if (s->comm == comm && s->vertex == vertex)
            return i;
    }
    return SCA_NONE;
}

static void collect_sides(struct finding_ends *f)
{
    struct sca_message_side *sides = sca_workspace_alloc(f->space, f->rank->npeers, sizeof *sides);
    f->out->sides[f->direction] = sides;
    for (uint32_t i = 0; i < f->rank->npeers; i++) {
        const struct sca_part_peer *p = &f->rank->peers[i];
        if (!is_between(f, p) || !p->count)
            continue;
        uint32_t vertex = vertex_of(f, p->site), known = side_of(f, p->comm, vertex);
        if (known == SCA_NONE) {
            known = f->out->nsides[f->direction]++;
            sides[known] = (struct sca_message_side){p->comm, vertex, 0, 0};
        }
        sides[known].messages += (double)p->count;
        sides[known].bytes += (double)p->bytes;
    }
}

/* ---- single messages ---- */

static void add_single(struct finding_ends *f, struct single single)
{
    size_t *n = &f->n[f->direction], *room = &f->room[f->direction];
    if (single.side == SCA_NONE || !f->source->run->profile->comms[single.comm].id)
        return;
    if (*n == *room) {
        *room = *room ? 2 * *room : 32;
        f->singles[f->direction] = sca_workspace_grow(f->space, f->singles[f->direction], *n, *room,
                                                      sizeof(struct single));
    }
    f->singles[f->direction][(*n)++] = single;
}

static void collect_kept(struct finding_ends *f)
{
    const struct sca_rank *rank = f->rank;
    for (uint32_t i = 0; i < rank->nmessages; i++) {
        const struct sca_part_message *m = &rank->messages[i];
        if (m->peer != f->peer || (int)m->direction != f->direction)
            continue;
        double time = sca_rank_time(rank, f->direction == SCA_SENT ? m->enter_ns : m->exit_ns);
        add_single(f, (struct single){m->comm, m->tag, m->number, m->bytes,
                                      side_of(f, m->comm, vertex_of(f, m->site)),
                                      rank->clock_known ? time : (double)NAN});
    }
}

static void collect_windows(struct finding_ends *f)
{
    const uint8_t kind = f->direction == SCA_SENT ? SCA_OP_SEND : SCA_OP_RECV;
    for (uint32_t i = 0; i < f->rank->nwindows; i++) {
        const struct sca_window *w = &f->rank->windows[i];
        for (uint32_t e = 0; sca_window_stands(w) && e < w->nevents; e++)
            for (uint32_t k = 0; k < w->events[e].nops; k++) {
                const struct sca_op *op = &w->ops[w->events[e].first_op + k];
                if (op->kind == kind && op->peer == f->peer && op->tag != SCA_TAG_NEIGHBOUR)
                    add_single(
                        f, (struct single){op->comm, op->tag, op->number, op->bytes,
                                           side_of(f, op->comm, vertex_of(f, w->events[e].site)),
                                           (double)NAN});
            }
    }
}

static int by_message(const void *a, const void *b)
{
    const struct single *x = a, *y = b;
    SCA_ORDER(x->comm, y->comm);
    SCA_ORDER(x->tag, y->tag);
    SCA_ORDER(x->number, y->number);
    return 0;
}

/* Each once, with its time if it has one: a kept message may lie in a window. What is there with
 * two calls is of none. */
static void unite(struct finding_ends *f, int direction)
{
    struct single *of = f->singles[direction];
    size_t n = 0, count = f->n[direction];
    if (count)
        qsort(of, count, sizeof *of, by_message);
    for (size_t i = 0, end; i < count; i = end) {
        struct single one = of[i];
        bool alike = true;
        for (end = i + 1; end < count && !by_message(&of[i], &of[end]); end++) {
            alike &= of[end].side == one.side && of[end].bytes == one.bytes;
            one.time = isnan(one.time) ? of[end].time : one.time;
        }
        if (alike)
            of[n++] = one;
    }
    f->n[direction] = n;
}

/* ---- both sides ---- */

static struct sca_message_link *link_of(struct sca_message_ends *ends, uint32_t send,
                                        uint32_t receive)
{
    for (uint32_t i = 0; i < ends->nlinks; i++)
        if (ends->links[i].send == send && ends->links[i].receive == receive)
            return &ends->links[i];
    ends->links[ends->nlinks] = (struct sca_message_link){
        .send = send, .receive = receive, .shortest = (double)NAN, .longest = (double)NAN};
    return &ends->links[ends->nlinks++];
}

static void add_link(struct sca_message_ends *ends, const struct single *send,
                     const struct single *receive)
{
    struct sca_message_link *link = link_of(ends, send->side, receive->side);
    double seconds = 1e-9 * (receive->time - send->time);
    link->seen++;
    sca_task_sample_add(&link->sizes, 1e-9 * (double)send->bytes, 1);
    if (isnan(seconds))
        return;
    link->timed++;
    sca_task_sample_add(&link->times, fmax(seconds, 0), 1); /* clocks are off by a little */
    link->seconds += seconds;
    link->shortest = fmin(link->shortest, seconds);
    link->longest = fmax(link->longest, seconds);
}

static void join(struct finding_ends *f)
{
    const struct single *sends = f->singles[SCA_SENT], *receives = f->singles[SCA_RECEIVED];
    size_t s = 0, r = 0,
           most = f->n[SCA_SENT] < f->n[SCA_RECEIVED] ? f->n[SCA_SENT] : f->n[SCA_RECEIVED];
    f->out->links = sca_workspace_alloc(f->space, most, sizeof *f->out->links);
    while (s < f->n[SCA_SENT] && r < f->n[SCA_RECEIVED]) {
        int order = by_message(&sends[s], &receives[r]);
        if (!order && sends[s].bytes == receives[r].bytes)
            add_link(f->out, &sends[s], &receives[r]);
        s += order <= 0;
        r += order >= 0;
    }
}

static void look(struct finding_ends *f, uint32_t rank, uint32_t peer, int direction)
{
    f->rank = sca_rank_open(f->source->opened, rank,
                            SCA_OPEN_PEERS | SCA_OPEN_MESSAGES | SCA_OPEN_WINDOWS);
    f->peer = (int32_t)peer;
    f->direction = direction;
    collect_sides(f);
    collect_kept(f);
    collect_windows(f);
    unite(f, direction);
}

void sca_message_ends_find(struct sca_workspace *space, const struct sca_task_source *source,
                           uint32_t sender, uint32_t receiver, struct sca_message_ends *out)
{
    struct finding_ends f = {.space = space, .source = source, .out = out};
    *out = (struct sca_message_ends){0};
    look(&f, sender, receiver, SCA_SENT);
    look(&f, receiver, sender, SCA_RECEIVED);
    join(&f);
}
