#include "graph/message_join.h"
#include "base/degrees.h"
#include "sca_arena.h"
#include "base/compare.h"
#include "sca_error.h"
#include "base/sort.h"

#include <stdlib.h>

struct kept { /* a message as one side recorded it */
    uint64_t comm, number, bytes;
    double enter, exit; /* ns on the run's time line */
    int32_t source, destination, tag;
    uint32_t vertex;
};

struct joining {
    const struct sca_ppg_run *run;
    struct kept *kept[2]; /* by direction */
    size_t nkept[2], kept_capacity[2];
    struct sca_joined *joined;
    size_t njoined, joined_capacity;
};

/* ---- collecting ---- */

static int add_kept(struct joining *j, uint32_t rank, const struct sca_part_message *m)
{
    const struct sca_profile *p = j->run->profile;
    const struct sca_rank *from = &p->ranks[rank];
    int side = m->direction == SCA_RECEIVED;
    uint32_t vertex = j->run->site_vertex[m->site];
    uint64_t comm = p->comms[m->comm].id;
    if (!comm || vertex == SCA_NONE || m->peer < 0 || (uint32_t)m->peer >= p->nranks)
        return SCA_OK; /* tainted, or not to be placed */
    if (sca_arena_grow(&j->kept[side], sizeof *j->kept[side], j->nkept[side],
                       &j->kept_capacity[side]))
        return SCA_ENOMEM;
    j->kept[side][j->nkept[side]++] = (struct kept){.comm = comm,
                                                    .number = m->number,
                                                    .bytes = m->bytes,
                                                    .enter = sca_rank_time(from, m->enter_ns),
                                                    .exit = sca_rank_time(from, m->exit_ns),
                                                    .source = side ? m->peer : (int32_t)rank,
                                                    .destination = side ? (int32_t)rank : m->peer,
                                                    .tag = m->tag,
                                                    .vertex = vertex};
    return SCA_OK;
}

/* What one of the two recorded about the other. */
static int collect(struct joining *j, struct sca_opened *opened, uint32_t own, uint32_t peer,
                   enum sca_direction direction)
{
    const struct sca_rank *rank = sca_rank_open(opened, own, SCA_OPEN_MESSAGES);
    int status = SCA_OK;
    for (uint32_t i = 0; !status && i < rank->nmessages; i++)
        if (rank->messages[i].direction == direction && rank->messages[i].peer == (int64_t)peer)
            status = add_kept(j, own, &rank->messages[i]);
    return status;
}

/* ---- joining both sides ---- */

static int by_channel(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    SCA_ORDER(x->destination, y->destination);
    SCA_ORDER(x->source, y->source);
    SCA_ORDER(x->comm, y->comm);
    SCA_ORDER(x->tag, y->tag);
    SCA_ORDER(x->number, y->number);
    return 0;
}

static double slack(const struct sca_rank *a, const struct sca_rank *b)
{
    if (!a->clock_known || !b->clock_known)
        return SCA_UNKNOWN_SLACK_NS;
    return a->clock == b->clock
               ? SCA_CLOCK_SLACK_NS
               : SCA_CLOCKS_SLACK_NS + (double)a->clock_error_ns + (double)b->clock_error_ns;
}

/* A receive cannot end before its send began; sizes that differ were paired wrongly. */
static bool belongs_together(const struct joining *j, const struct kept *send,
                             const struct kept *receive)
{
    const struct sca_rank *ranks = j->run->profile->ranks;
    double allowed = slack(&ranks[send->source], &ranks[receive->destination]);
    return send->bytes == receive->bytes && receive->exit + allowed >= send->enter;
}

static bool is_single(const struct kept *list, size_t count, size_t i)
{
    return !(i > 0 && !by_channel(&list[i - 1], &list[i])) &&
           !(i + 1 < count && !by_channel(&list[i], &list[i + 1]));
}

static int add_joined(struct joining *j, const struct kept *send, const struct kept *receive)
{
    if (sca_arena_grow(&j->joined, sizeof *j->joined, j->njoined, &j->joined_capacity))
        return SCA_ENOMEM;
    j->joined[j->njoined++] = (struct sca_joined){receive->vertex,
                                                  (uint32_t)receive->destination,
                                                  send->vertex,
                                                  (uint32_t)send->source,
                                                  1,
                                                  send->bytes,
                                                  (send->enter - receive->enter) * 1e-9};
    return SCA_OK;
}

static int join(struct joining *j)
{
    struct kept *sends = j->kept[SCA_SENT], *receives = j->kept[SCA_RECEIVED];
    size_t s = 0, r = 0, ns = j->nkept[SCA_SENT], nr = j->nkept[SCA_RECEIVED];
    int status = SCA_OK;
    if (!ns || !nr)
        return SCA_OK;
    qsort(sends, ns, sizeof *sends, by_channel);
    qsort(receives, nr, sizeof *receives, by_channel);
    while (!status && s < ns && r < nr) {
        int order = by_channel(&sends[s], &receives[r]);
        if (!order && is_single(sends, ns, s) && is_single(receives, nr, r) &&
            belongs_together(j, &sends[s], &receives[r]))
            status = add_joined(j, &sends[s], &receives[r]);
        s += order <= 0;
        r += order >= 0;
    }
    return status;
}

static int by_edge(const void *a, const void *b)
{
    const struct sca_joined *x = a, *y = b;
    SCA_ORDER(x->receive_vertex, y->receive_vertex);
    SCA_ORDER(x->receive_rank, y->receive_rank);
    SCA_ORDER(x->send_rank, y->send_rank);
    SCA_ORDER(x->send_vertex, y->send_vertex);
    return 0;
}

static int merge_joined(struct joining *j)
{
    size_t kept = 0;
    int status = sca_sort_in_order(j->joined, j->njoined, sizeof *j->joined, by_edge);
    for (size_t i = 0; !status && i < j->njoined; i++) {
        struct sca_joined *last = kept ? &j->joined[kept - 1] : NULL;
        if (last && !by_edge(last, &j->joined[i])) {
            last->count++;
            last->bytes += j->joined[i].bytes;
            last->late += j->joined[i].late;
        } else {
            j->joined[kept++] = j->joined[i];
        }
    }
    j->njoined = kept;
    return status;
}

int sca_message_join(const struct sca_ppg_run *run, struct sca_opened *opened, uint32_t sender,
                     uint32_t receiver, struct sca_joined **list, size_t *count)
{
    struct joining j = {.run = run};
    int status = collect(&j, opened, sender, receiver, SCA_SENT);
    if (!status)
        status = collect(&j, opened, receiver, sender, SCA_RECEIVED);
    if (!status)
        status = join(&j);
    if (!status)
        status = merge_joined(&j);
    for (int side = 0; side < 2; side++)
        free(j.kept[side]);
    *list = j.joined;
    *count = j.njoined;
    return status;
}
