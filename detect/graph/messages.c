#include "graph/messages.h"
#include "base/compare.h"
#include "graph/message_join.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct traffic { /* totals with a peer at a vertex */
    uint32_t vertex, rank, peer;
    uint64_t count, bytes;
};

struct edges { /* from one rank to another */
    const struct sca_ppg_run *run;
    struct sca_opened *opened;
    uint32_t sender, receiver;
    struct traffic *traffic[2];
    size_t ntraffic[2], traffic_capacity[2];
    struct sca_joined *joined;
    size_t njoined;
    struct sca_ppg_message *messages;
    size_t nmessages, messages_capacity;
};

static int add_traffic(struct edges *e, uint32_t rank, const struct sca_part_peer *p)
{
    int side = p->direction == SCA_RECEIVED;
    uint32_t vertex = e->run->site_vertex[p->site];
    if (vertex == SCA_NONE || p->peer < 0 || (uint32_t)p->peer >= e->run->nranks)
        return SCA_OK;
    if (sca_arena_grow(&e->traffic[side], sizeof *e->traffic[side], e->ntraffic[side],
                       &e->traffic_capacity[side]))
        return SCA_ENOMEM;
    e->traffic[side][e->ntraffic[side]++] =
        (struct traffic){vertex, rank, (uint32_t)p->peer, p->count, p->bytes};
    return SCA_OK;
}

/* What one of the two has to do with the other. */
static int collect(struct edges *e, enum sca_direction direction)
{
    uint32_t own = direction == SCA_SENT ? e->sender : e->receiver;
    uint32_t peer = direction == SCA_SENT ? e->receiver : e->sender;
    const struct sca_rank *rank = sca_rank_open(e->opened, own, SCA_OPEN_PEERS);
    int status = SCA_OK;
    for (uint32_t i = 0; !status && i < rank->npeers; i++)
        if (rank->peers[i].direction == direction && rank->peers[i].peer == (int64_t)peer)
            status = add_traffic(e, own, &rank->peers[i]);
    return status;
}

/* ---- totals ---- */

static int by_receive(const void *a, const void *b)
{
    const struct traffic *x = a, *y = b;
    SCA_ORDER(x->vertex, y->vertex);
    SCA_ORDER(x->rank, y->rank);
    SCA_ORDER(x->peer, y->peer);
    return 0;
}

static int by_pair(const void *a, const void *b)
{
    const struct traffic *x = a, *y = b;
    SCA_ORDER(x->rank, y->rank);
    SCA_ORDER(x->peer, y->peer);
    SCA_ORDER(x->vertex, y->vertex);
    return 0;
}

static void merge_traffic(struct edges *e, int side, int (*order)(const void *, const void *))
{
    struct traffic *list = e->traffic[side];
    size_t kept = 0;
    if (e->ntraffic[side])
        qsort(list, e->ntraffic[side], sizeof *list, order);
    for (size_t i = 0; i < e->ntraffic[side]; i++)
        if (kept && !order(&list[kept - 1], &list[i])) {
            list[kept - 1].count += list[i].count;
            list[kept - 1].bytes += list[i].bytes;
        } else {
            list[kept++] = list[i];
        }
    e->ntraffic[side] = kept;
}

static uint64_t difference(uint64_t x, uint64_t y)
{
    return x > y ? x - y : y - x;
}

/* Where the peer sends to this rank: the vertex whose count comes closest, then the one nearest in
 * the program; the root if nowhere. */
static uint32_t likely_sender(const struct edges *e, const struct traffic *receive)
{
    const struct traffic *sends = e->traffic[SCA_SENT];
    size_t low = 0, high = e->ntraffic[SCA_SENT];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct traffic *s = &sends[middle];
        bool before = s->rank != receive->peer ? s->rank < receive->peer : s->peer < receive->rank;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    uint32_t best = 0;
    uint64_t least = UINT64_MAX, nearest = UINT64_MAX;
    for (; low < e->ntraffic[SCA_SENT] && sends[low].rank == receive->peer &&
           sends[low].peer == receive->rank;
         low++) {
        uint64_t apart = difference(sends[low].count, receive->count);
        uint64_t far = difference(sends[low].vertex, receive->vertex);
        if (apart < least || (apart == least && far < nearest)) {
            least = apart;
            nearest = far;
            best = sends[low].vertex;
        }
    }
    return best;
}

/* ---- edges ---- */

static int add_edge(struct edges *e, const struct sca_ppg_message *message)
{
    if (sca_arena_grow(&e->messages, sizeof *e->messages, e->nmessages, &e->messages_capacity))
        return SCA_ENOMEM;
    e->messages[e->nmessages++] = *message;
    return SCA_OK;
}

static int compare_with_joined(const struct traffic *t, const struct sca_joined *j)
{
    SCA_ORDER(t->vertex, j->receive_vertex);
    SCA_ORDER(t->rank, j->receive_rank);
    SCA_ORDER(t->peer, j->send_rank);
    return 0;
}

/* Shares the exact totals out among the senders that the kept messages name. */
static int add_split(struct edges *e, const struct sca_joined *group, size_t count,
                     uint64_t messages, uint64_t bytes)
{
    uint64_t sampled = 0, before = 0;
    int status = SCA_OK;
    for (size_t i = 0; i < count; i++)
        sampled += group[i].count;
    for (size_t i = 0; !status && i < count; i++) {
        double from = (double)before / (double)sampled;
        before += group[i].count;
        double to = (double)before / (double)sampled;
        struct sca_ppg_message m = {
            group[i].receive_vertex,
            group[i].receive_rank,
            group[i].send_vertex,
            group[i].send_rank,
            (uint64_t)llround(to * (double)messages) - (uint64_t)llround(from * (double)messages),
            (uint64_t)llround(to * (double)bytes) - (uint64_t)llround(from * (double)bytes),
            group[i].late / (double)group[i].count};
        status = add_edge(e, &m);
    }
    return status;
}

static int add_guess(struct edges *e, const struct traffic *t)
{
    if (!e->run->profile->ranks[t->peer].present)
        return SCA_OK;
    struct sca_ppg_message m = {t->vertex, t->rank,  likely_sender(e, t), t->peer,
                                t->count,  t->bytes, (double)NAN};
    return add_edge(e, &m);
}

static size_t group_end(const struct edges *e, size_t first)
{
    size_t end = first;
    while (end < e->njoined && e->joined[end].receive_vertex == e->joined[first].receive_vertex &&
           e->joined[end].receive_rank == e->joined[first].receive_rank &&
           e->joined[end].send_rank == e->joined[first].send_rank)
        end++;
    return end;
}

/* Both lists stand in the order of the edges. */
static int connect(struct edges *e)
{
    const struct traffic *t = e->traffic[SCA_RECEIVED]; /* NULL if nothing was received */
    const struct traffic *last = t ? t + e->ntraffic[SCA_RECEIVED] : t;
    int status = SCA_OK;
    for (size_t first = 0; !status && (first < e->njoined || t < last);) {
        int order = first == e->njoined ? -1
                    : t == last         ? 1
                                        : compare_with_joined(t, &e->joined[first]);
        if (order < 0) {
            status = add_guess(e, t++);
            continue;
        }
        size_t end = group_end(e, first);
        uint64_t count = 0, bytes = 0;
        for (size_t i = first; order > 0 && i < end; i++) { /* totals had no room for this peer */
            count += e->joined[i].count;
            bytes += e->joined[i].bytes;
        }
        if (order == 0) {
            count = t->count;
            bytes = t++->bytes;
        }
        status = add_split(e, e->joined + first, end - first, count, bytes);
        first = end;
    }
    return status;
}

static int find(struct edges *e)
{
    int status = collect(e, SCA_SENT);
    if (!status)
        status = collect(e, SCA_RECEIVED);
    if (!status)
        status =
            sca_message_join(e->run, e->opened, e->sender, e->receiver, &e->joined, &e->njoined);
    if (status)
        return status;
    merge_traffic(e, SCA_SENT, by_pair);
    merge_traffic(e, SCA_RECEIVED, by_receive);
    return connect(e);
}

static int hand_over(const struct edges *e, struct sca_arena *arena, struct sca_messages *out)
{
    out->edges = sca_arena_alloc(arena, e->nmessages + 1, sizeof *out->edges);
    if (!out->edges)
        return SCA_ENOMEM;
    if (e->nmessages)
        memcpy(out->edges, e->messages, e->nmessages * sizeof *e->messages);
    out->count = (uint32_t)e->nmessages;
    return SCA_OK;
}

int sca_messages_between(struct sca_arena *arena, const struct sca_ppg_run *run, uint32_t sender,
                         uint32_t receiver, struct sca_messages *out)
{
    struct edges e = {.run = run, .sender = sender, .receiver = receiver};
    void *memory = sca_arena_alloc(arena, 1, sca_rank_open_size(run->profile));
    *out = (struct sca_messages){0};
    if (!memory)
        return SCA_ENOMEM;
    e.opened = sca_rank_open_init(memory, run->profile);
    int status = find(&e);
    if (!status)
        status = hand_over(&e, arena, out);
    for (int side = 0; side < 2; side++)
        free(e.traffic[side]);
    free(e.joined);
    free(e.messages);
    return status;
}
