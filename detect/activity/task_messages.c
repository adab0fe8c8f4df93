#include "activity/task_messages.h"
#include "activity/message_ends.h"

#include <math.h>
#include <stdlib.h>

struct solving { /* of one communicator */
    struct sca_workspace *space;
    const struct sca_message_ends *ends;
    uint32_t comm, n[2];             /* sides on it */
    double total[2];                 /* their messages */
    double *rest[2], *rest_bytes[2]; /* [side]: what no link has yet */
    uint32_t *open[2];               /* [side]: links without a number */
    double *messages, *bytes;        /* [link]; NAN: no number yet */
    struct sca_task_messages *out;
    uint32_t from, to;
};

/* ---- results ---- */

static struct sca_task_message *add(struct solving *s, uint32_t send, uint32_t receive,
                                    enum sca_task_known known)
{
    struct sca_task_message *m = &s->out->of[s->out->count++];
    const struct sca_message_ends *e = s->ends;
    *m = (struct sca_task_message){
        .from = s->from,
        .to = s->to,
        .send = send == SCA_NONE ? SCA_NONE : e->sides[SCA_SENT][send].vertex,
        .receive = receive == SCA_NONE ? SCA_NONE : e->sides[SCA_RECEIVED][receive].vertex,
        .messages = (double)NAN,
        .bytes = (double)NAN,
        .known = known,
        .mean_s = (double)NAN,
        .shortest = (double)NAN,
        .longest = (double)NAN};
    for (uint32_t i = 0; i < e->nlinks; i++) {
        const struct sca_message_link *l = &e->links[i];
        if (l->send != send || l->receive != receive)
            continue;
        m->seen = l->seen;
        m->timed = l->timed;
        m->mean_s = l->timed ? l->seconds / l->timed : (double)NAN;
        m->shortest = l->shortest;
        m->longest = l->longest;
        m->times = l->times;
        m->sizes = l->sizes;
    }
    return m;
}

static void add_side(struct solving *s, int direction, uint32_t side, uint32_t other)
{
    const struct sca_message_side *of = &s->ends->sides[direction][side];
    bool sent = direction == SCA_SENT;
    struct sca_task_message *m = add(s, sent ? side : other, sent ? other : side, SCA_TASK_EXACT);
    m->messages = of->messages;
    m->bytes = of->bytes;
}

/* ---- one call on one side ---- */

static uint32_t only_side(const struct solving *s, int direction)
{
    for (uint32_t i = 0; i < s->ends->nsides[direction]; i++)
        if (s->ends->sides[direction][i].comm == s->comm)
            return i;
    return SCA_NONE;
}

static void add_all(struct solving *s, int direction, uint32_t other)
{
    for (uint32_t i = 0; i < s->ends->nsides[direction]; i++)
        if (s->ends->sides[direction][i].comm == s->comm)
            add_side(s, direction, i, other);
}

/* Messages that were sent, but not received so far, have no receiving call. */
static bool solve_single(struct solving *s)
{
    if (!s->n[SCA_SENT] || !s->n[SCA_RECEIVED]) {
        add_all(s, s->n[SCA_SENT] ? SCA_SENT : SCA_RECEIVED, SCA_NONE);
        return true;
    }
    if (s->n[SCA_SENT] == 1) {
        add_all(s, SCA_RECEIVED, only_side(s, SCA_SENT));
        return true;
    }
    if (s->n[SCA_RECEIVED] > 1 || s->total[SCA_SENT] != s->total[SCA_RECEIVED])
        return false;
    add_all(s, SCA_SENT, only_side(s, SCA_RECEIVED));
    return true;
}

/* ---- several on both ---- */

static bool is_here(const struct solving *s, uint32_t link)
{
    return s->ends->sides[SCA_SENT][s->ends->links[link].send].comm == s->comm;
}

static void open_links(struct solving *s)
{
    for (int d = 0; d < 2; d++) {
        uint32_t n = s->ends->nsides[d];
        s->rest[d] = sca_workspace_alloc(s->space, n, sizeof(double));
        s->rest_bytes[d] = sca_workspace_alloc(s->space, n, sizeof(double));
        s->open[d] = sca_workspace_alloc(s->space, n, sizeof(uint32_t));
        for (uint32_t i = 0; i < n; i++) {
            s->rest[d][i] = s->ends->sides[d][i].messages;
            s->rest_bytes[d][i] = s->ends->sides[d][i].bytes;
        }
    }
    s->messages = sca_workspace_alloc(s->space, s->ends->nlinks, sizeof(double));
    s->bytes = sca_workspace_alloc(s->space, s->ends->nlinks, sizeof(double));
    for (uint32_t i = 0; i < s->ends->nlinks; i++) {
        s->messages[i] = s->bytes[i] = (double)NAN;
        s->open[SCA_SENT][s->ends->links[i].send]++;
        s->open[SCA_RECEIVED][s->ends->links[i].receive]++;
    }
}

static void close_link(struct solving *s, uint32_t link, int leaf)
{
    const struct sca_message_link *l = &s->ends->links[link];
    const uint32_t side[2] = {l->send, l->receive};
    s->messages[link] = s->rest[leaf][side[leaf]];
    s->bytes[link] = s->rest_bytes[leaf][side[leaf]];
    for (int d = 0; d < 2; d++) {
        s->rest[d][side[d]] -= s->messages[link];
        s->rest_bytes[d][side[d]] -= s->bytes[link];
        s->open[d][side[d]]--;
    }
}

/* A call that only one link without a number leads to gives it all that is left. */
static bool close_leaf(struct solving *s)
{
    for (uint32_t i = 0; i < s->ends->nlinks; i++) {
        if (!is_here(s, i) || !isnan(s->messages[i]))
            continue;
        if (s->open[SCA_SENT][s->ends->links[i].send] == 1)
            return close_link(s, i, SCA_SENT), true;
        if (s->open[SCA_RECEIVED][s->ends->links[i].receive] == 1)
            return close_link(s, i, SCA_RECEIVED), true;
    }
    return false;
}

/* Whether the totals come out: nothing is left of any call, and no link has less than was seen. */
static bool comes_out(const struct solving *s)
{
    for (uint32_t i = 0; i < s->ends->nlinks; i++)
        if (is_here(s, i) && !(s->messages[i] >= s->ends->links[i].seen && s->bytes[i] >= 0))
            return false;
    for (int d = 0; d < 2; d++)
        for (uint32_t i = 0; i < s->ends->nsides[d]; i++)
            if (s->ends->sides[d][i].comm == s->comm &&
                (s->rest[d][i] != 0 || s->rest_bytes[d][i] != 0))
                return false;
    return true;
}

static bool is_linked(const struct solving *s, int direction, uint32_t side)
{
    for (uint32_t i = 0; i < s->ends->nlinks; i++)
        if ((direction == SCA_SENT ? s->ends->links[i].send : s->ends->links[i].receive) == side)
            return true;
    return false;
}

static void solve_several(struct solving *s)
{
    open_links(s);
    while (close_leaf(s))
        ;
    bool known = comes_out(s);
    for (uint32_t i = 0; i < s->ends->nlinks; i++) {
        if (!is_here(s, i))
            continue;
        struct sca_task_message *m = add(s, s->ends->links[i].send, s->ends->links[i].receive,
                                         known ? SCA_TASK_BY_TOTALS : SCA_TASK_SEEN);
        m->messages = known ? s->messages[i] : (double)NAN;
        m->bytes = known ? s->bytes[i] : (double)NAN;
    }
    for (int d = 0; d < 2; d++)
        for (uint32_t i = 0; i < s->ends->nsides[d]; i++)
            if (s->ends->sides[d][i].comm == s->comm && !is_linked(s, d, i))
                add_side(s, d, i, SCA_NONE);
}

/* ---- all of them ---- */

static bool is_first_of(const struct sca_message_ends *e, int direction, uint32_t side)
{
    uint32_t comm = e->sides[direction][side].comm;
    for (int d = 0; d <= direction; d++)
        for (uint32_t i = 0; i < (d == direction ? side : e->nsides[d]); i++)
            if (e->sides[d][i].comm == comm)
                return false;
    return true;
}

static void solve(struct solving *s, uint32_t comm)
{
    s->comm = comm;
    for (int d = 0; d < 2; d++) {
        s->n[d] = 0;
        s->total[d] = 0;
        for (uint32_t i = 0; i < s->ends->nsides[d]; i++)
            if (s->ends->sides[d][i].comm == comm) {
                s->n[d]++;
                s->total[d] += s->ends->sides[d][i].messages;
            }
    }
    if (!solve_single(s))
        solve_several(s);
}

void sca_task_messages_between(struct sca_workspace *space, const struct sca_task_source *source,
                               uint32_t sender, uint32_t receiver, struct sca_task_messages *out)
{
    struct sca_message_ends ends;
    sca_message_ends_find(space, source, sender, receiver, &ends);
    uint32_t most = ends.nlinks + ends.nsides[0] + ends.nsides[1];
    *out = (struct sca_task_messages){.of = sca_workspace_alloc(space, most, sizeof *out->of)};
    struct solving s = {.space = space, .ends = &ends, .out = out, .from = sender, .to = receiver};
    for (int d = 0; d < 2; d++)
        for (uint32_t i = 0; i < ends.nsides[d]; i++)
            if (is_first_of(&ends, d, i))
                solve(&s, ends.sides[d][i].comm);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

uint32_t sca_task_messages_peers(struct sca_workspace *space, const struct sca_task_source *source,
                                 uint32_t rank, enum sca_direction direction, uint32_t **out)
{
    const struct sca_rank *r = sca_rank_open(source->opened, rank, SCA_OPEN_PEERS);
    uint32_t *peers = sca_workspace_alloc(space, r->npeers, sizeof *peers), n = 0, kept = 0;
    for (uint32_t i = 0; i < r->npeers; i++) {
        const struct sca_part_peer *p = &r->peers[i];
        if (p->direction == (uint32_t)direction && p->peer >= 0 &&
            (uint32_t)p->peer < source->run->nranks && p->count)
            peers[n++] = (uint32_t)p->peer;
    }
    if (n)
        qsort(peers, n, sizeof *peers, by_number);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || peers[kept - 1] != peers[i])
            peers[kept++] = peers[i];
    *out = peers;
    return kept;
}
