#include "price/served_order.h"
#include "base/degrees.h"
#include "imbalance/work_queue.h"

#include <math.h>

struct served {
    const struct sca_stage *stage;
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

static double part_in_order(const struct served *s)
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
 * before: 1: always the same order. 1, too, where it receives nothing. */
static double usual_order(struct sca_workspace *scratch, const struct sca_stage *stage,
                          uint32_t server)
{
    struct served s = {.stage = stage, .nranks = stage->m->nranks};
    s.after = sca_workspace_alloc(scratch, (size_t)s.nranks * s.nranks, sizeof *s.after);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        const struct sca_replay *replay = &stage->replays[i];
        s.last = SCA_NONE;
        for (uint32_t k = 0; k < replay->trace->sequences[server].nevents; k++)
            count_event(&s, replay->links, sca_replay_at(replay, server, k));
    }
    sca_team_sum(stage->traces->team, s.after, (size_t)s.nranks * s.nranks);
    return part_in_order(&s);
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
    double usual = usual_order(scratch, stage, queue.server);
    *out =
        (struct sca_evidence){.kind = SCA_EVIDENCE_HANDED_OUT, .of = queue.server, .number = usual};
    return usual < SCA_MOST;
}
