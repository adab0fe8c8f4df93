#include "price/served_order.h"
#include "base/degrees.h"
#include "imbalance/work_queue.h"
#include "stats/over_ranks.h"

#include <math.h>

struct served {
    uint32_t nranks, last; /* the rank that came last; SCA_NONE: none has */
    double *after;         /* [rank * ranks + rank that came after it] how often */
};

static void count(struct served *s, uint32_t rank)
{
    if (s->last != SCA_NONE)
        s->after[(size_t)s->last * s->nranks + rank]++;
    s->last = rank;
}

/* The messages that an event of the server receives. */
static void count_event(struct served *s, const struct sca_replay_links *links, uint32_t event)
{
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (links->kind[i] == SCA_OP_RECV)
            count(s, sca_links_rank(links, links->input[i]));
}

/* 1: always the same order, or there are none. */
static double usual_part(const struct served *s)
{
    double all = 0, usual = 0;
    for (uint32_t a = 0; a < s->nranks; a++) {
        double most = 0;
        for (uint32_t b = 0; b < s->nranks; b++) {
            double n = s->after[(size_t)a * s->nranks + b];
            all += n;
            most = fmax(most, n);
        }
        usual += most;
    }
    return all > 0 ? usual / all : 1;
}

/* The part of the server's receives that come from the rank which most often comes after the one
 * before. */
static double find_order(struct sca_workspace *scratch, const struct sca_stage *stage,
                         uint32_t server)
{
    struct served s = {.nranks = stage->m->nranks};
    s.after = sca_workspace_alloc(scratch, (size_t)s.nranks * s.nranks, sizeof *s.after);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        const struct sca_replay *replay = &stage->replays[i];
        s.last = SCA_NONE;
        for (uint32_t k = 0; k < replay->trace->sequences[server].nevents; k++)
            count_event(&s, replay->links, sca_replay_at(replay, server, k));
    }
    sca_team_sum(stage->traces->team, s.after, (size_t)s.nranks * s.nranks);
    return usual_part(&s);
}

/* ---- without a finding ---- */

/* What ranks answer: the first message that one sends after it has received one. */
struct answers {
    const struct sca_replay *replay;
    bool *sends;     /* by event */
    uint32_t *asker; /* likewise: whose message the rank received last, if it has sent none since */
    double *sent;    /* by rank: its answers, */
    double *back;    /* and those of them to the rank that had asked; */
    double *part;    /* messages that it sends or gets */
};

typedef void of_receive(struct answers *a, uint32_t rank, uint32_t sender, uint32_t send);

static void for_receives(struct answers *a, uint32_t rank, uint32_t event, of_receive *call)
{
    const struct sca_replay_links *links = a->replay->links;
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (links->kind[i] == SCA_OP_RECV)
            call(a, rank, sca_links_rank(links, links->input[i]), links->input[i]);
}

static void for_all_receives(struct answers *a, of_receive *call)
{
    for (uint32_t r = 0; r < a->replay->trace->nranks; r++)
        for (uint32_t k = 0; k < a->replay->trace->sequences[r].nevents; k++)
            for_receives(a, r, sca_replay_at(a->replay, r, k), call);
}

static void mark_send(struct answers *a, uint32_t rank, uint32_t sender, uint32_t send)
{
    (void)rank;
    (void)sender;
    a->sends[send] = true;
}

static void count_answer(struct answers *a, uint32_t rank, uint32_t sender, uint32_t send)
{
    a->part[sender]++;
    a->part[rank]++;
    if (a->asker[send] == SCA_NONE)
        return;
    a->sent[sender]++;
    a->back[sender] += a->asker[send] == rank;
}

static void list_askers(struct answers *a, uint32_t rank)
{
    const struct sca_replay_links *links = a->replay->links;
    uint32_t last = SCA_NONE;
    for (uint32_t k = 0; k < a->replay->trace->sequences[rank].nevents; k++) {
        uint32_t event = sca_replay_at(a->replay, rank, k);
        a->asker[event] = a->sends[event] ? last : SCA_NONE;
        last = a->sends[event] ? SCA_NONE : last;
        for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
            if (links->kind[i] == SCA_OP_RECV)
                last = sca_links_rank(links, links->input[i]);
    }
}

static void count_replay(struct sca_workspace *space, struct answers *a,
                         const struct sca_replay *replay)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    a->replay = replay;
    a->asker = sca_workspace_alloc(&scratch, replay->trace->nevents, sizeof *a->asker);
    a->sends = sca_workspace_alloc(&scratch, replay->trace->nevents, sizeof *a->sends);
    for_all_receives(a, mark_send);
    for (uint32_t r = 0; r < replay->trace->nranks; r++)
        list_askers(a, r);
    for_all_receives(a, count_answer);
    sca_workspace_free(&scratch);
}

/* Neighbours answer each other, too: with a server all have to do, and hardly with each other. */
static bool is_server(const struct answers *a, uint32_t rank, uint32_t nranks)
{
    double messages = sca_over_ranks_sum(a->part, nranks) / 2;
    return a->back[rank] >= SCA_ENOUGH_SAMPLES && a->back[rank] >= SCA_MOST * a->sent[rank] &&
           a->part[rank] >= SCA_NEARLY_ALL * messages;
}

uint32_t sca_served_order_server(struct sca_workspace *scratch, const struct sca_stage *stage)
{
    uint32_t nranks = stage->m->nranks;
    if (!stage->m->shared || nranks <= 2 || nranks > SCA_MOST_SERVED)
        return SCA_NONE;
    struct answers a = {.sent = sca_workspace_alloc(scratch, nranks, sizeof *a.sent),
                        .back = sca_workspace_alloc(scratch, nranks, sizeof *a.back),
                        .part = sca_workspace_alloc(scratch, nranks, sizeof *a.part)};
    for (uint32_t i = 0; i < stage->nreplays; i++)
        count_replay(scratch, &a, &stage->replays[i]);
    sca_team_sum(stage->traces->team, a.sent, nranks);
    sca_team_sum(stage->traces->team, a.back, nranks);
    sca_team_sum(stage->traces->team, a.part, nranks);
    for (uint32_t r = 0; r < nranks; r++)
        if (is_server(&a, r, nranks) && find_order(scratch, stage, r) < SCA_MOST)
            return r;
    return SCA_NONE;
}

bool sca_served_order_changes(struct sca_workspace *scratch, const struct sca_stage *stage,
                              const struct sca_finding *finding, bool uneven,
                              struct sca_evidence *out)
{
    if (!stage->m->shared)
        return false;
    struct sca_work_queue queue = sca_work_queue_find(scratch, stage->m, stage->ends, finding);
    if (queue.server == SCA_NONE || (uneven && !queue.uneven))
        return false;
    double usual = find_order(scratch, stage, queue.server);
    *out = (struct sca_evidence){.kind = SCA_EVIDENCE_DYNAMIC, .of = queue.server, .number = usual};
    return usual < SCA_MOST;
}
