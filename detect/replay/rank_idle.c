#include "replay/rank_idle.h"

#include <math.h>
#include <stdlib.h>

struct span { /* some thread beside the first computes */
    double begin, end;
};

struct spans { /* of a rank; in order, apart from each other */
    struct span *list;
    uint32_t n, at; /* those before `at` have ended */
};

static struct span computation(const struct sca_replay *replay, uint32_t event)
{
    uint32_t before = sca_replay_before(replay, event);
    return (struct span){before == SCA_NO_EVENT ? 0 : sca_replay_exit(replay, before),
                         replay->enter[event]};
}

static int by_begin(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Returns how much of them lies over each other. */
static double unite(struct spans *s)
{
    double over = 0;
    uint32_t kept = 0;
    qsort(s->list, s->n, sizeof *s->list, by_begin);
    for (uint32_t i = 0; i < s->n; i++) {
        struct span *last = kept ? &s->list[kept - 1] : NULL;
        if (!last || s->list[i].begin > last->end) {
            s->list[kept++] = s->list[i];
            continue;
        }
        over += fmin(last->end, s->list[i].end) - s->list[i].begin;
        last->end = fmax(last->end, s->list[i].end);
    }
    s->n = kept;
    return over;
}

static double collect(const struct sca_replay *replay, uint32_t rank, struct spans *s)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    s->n = s->at = 0;
    for (uint32_t i = sequence->others[0]; i < sequence->nevents; i++) {
        struct span span = computation(replay, sca_replay_at(replay, rank, i));
        if (span.end > span.begin)
            s->list[s->n++] = span;
    }
    return unite(s);
}

/* What of it they cover; it does not begin before the one that was asked for last. */
static double covered(struct spans *s, struct span by)
{
    double seconds = 0;
    while (s->at < s->n && s->list[s->at].end <= by.begin)
        s->at++;
    for (uint32_t i = s->at; i < s->n && s->list[i].begin < by.end; i++)
        seconds += fmin(by.end, s->list[i].end) - fmax(by.begin, s->list[i].begin);
    return seconds;
}

/* Whether an event waits for another thread of its rank. */
static bool is_inside(const struct sca_replay *replay, uint32_t event)
{
    uint32_t by = replay->waited_for[event];
    return by != SCA_NO_EVENT && by != event && !sca_replay_is_collective(replay, event) &&
           sca_replay_rank(replay, by) == sca_replay_rank(replay, event);
}

/* Back from what is waited for, in its thread: what the rank loses is lost in that one's waits. */
static void hand_on(const struct sca_replay *replay, uint32_t event, struct span wait,
                    struct sca_rank_idle *out)
{
    uint32_t at = sca_replay_before(replay, replay->waited_for[event]);
    for (; at != SCA_NO_EVENT && sca_replay_exit(replay, at) > wait.begin && out->of[event] > 0;
         at = sca_replay_before(replay, at)) {
        double over =
            fmin(wait.end, sca_replay_exit(replay, at)) - fmax(wait.begin, replay->enter[at]);
        double part = fmin(out->of[event], fmax(0, over));
        out->of[at] += part;
        out->of[event] -= part;
    }
}

static void of_rank(const struct sca_replay *replay, uint32_t rank, struct spans *s,
                    struct sca_rank_idle *out)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    bool alone = !sequence->nothers;
    out->beside[rank] = alone ? 0 : collect(replay, rank, s);
    for (uint32_t i = 0; i < (alone ? sequence->nevents : sequence->others[0]); i++) {
        uint32_t event = sca_replay_at(replay, rank, i);
        struct span wait = {replay->enter[event], sca_replay_exit(replay, event)};
        if (!alone) {
            out->beside[rank] += covered(s, computation(replay, event));
            out->of[event] = -covered(s, wait);
        }
        out->of[event] = fmax(0, out->of[event] + wait.end - wait.begin);
        out->sum += out->of[event];
        if (out->of[event] > 0 && is_inside(replay, event))
            hand_on(replay, event, wait, out);
    }
}

struct sca_rank_idle sca_rank_idle_find(struct sca_workspace *space,
                                        const struct sca_replay *replay)
{
    const struct sca_trace *trace = replay->trace;
    struct sca_rank_idle out = {.sum = replay->waits};
    if (trace->nlocations == trace->nranks)
        return out;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct spans spans = {.list =
                              sca_workspace_alloc(&scratch, trace->nevents, sizeof *spans.list)};
    out.sum = 0;
    out.of = sca_workspace_alloc(space, trace->nevents, sizeof *out.of);
    out.beside = sca_workspace_alloc(space, trace->nranks, sizeof *out.beside);
    for (uint32_t r = 0; r < trace->nranks; r++)
        of_rank(replay, r, &spans, &out);
    sca_workspace_free(&scratch);
    return out;
}
