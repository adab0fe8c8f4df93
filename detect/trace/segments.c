#include "trace/segments.h"
#include "trace/trace_synthesis.h"

enum { MOST_SEGMENTS = 32 }; /* each keeps a few words per rank */

struct meeting {                  /* a collective that all ranks of the run leave together */
    uint32_t comm, number, event; /* of rank 0 */
};

struct cutting {
    const struct sca_profile *profile;
    const struct sca_walk *walk;
    struct sca_workspace *ops, scratch;
    struct sca_traces *out;
    uint32_t nmeetings;
    struct meeting *meetings;
    uint32_t ncuts, *cuts; /* meetings that end a segment */
};

static bool is_meeting(const struct cutting *c, const struct sca_replay_trace_op *op)
{
    return op->kind == SCA_OP_COLLECTIVE && op->shape == SCA_ALL_TO_ALL &&
           op->comm < c->profile->ncomms && c->profile->comms[op->comm].size == c->profile->nranks;
}

static void list_meetings(struct cutting *c, const struct sca_event_sequence *sequence)
{
    c->meetings = sca_workspace_alloc(&c->scratch, sequence->nops, sizeof *c->meetings);
    for (uint32_t i = 0; i < sequence->nops; i++) {
        const struct sca_replay_trace_op *op = &sequence->ops[i];
        if (is_meeting(c, op))
            c->meetings[c->nmeetings++] = (struct meeting){op->comm, op->number, op->event};
    }
}

/* So that segments have about the same number of events: on rank 0, which is taken for all. */
static void choose_cuts(struct cutting *c, const struct sca_event_sequence *sequence,
                        uint32_t steps_apart)
{
    uint64_t all = (uint64_t)sequence->nevents * c->profile->nranks / steps_apart;
    uint32_t n = all < MOST_SEGMENTS ? (uint32_t)all : MOST_SEGMENTS;
    n = n < SCA_WORTH_CUTTING ? 0 : n;
    c->cuts = sca_workspace_alloc(&c->scratch, n + (size_t)1, sizeof *c->cuts);
    for (uint32_t i = 0; i < c->nmeetings && c->ncuts + 1 < n; i++) {
        uint64_t before = c->meetings[i].event + (uint64_t)1;
        if (before * n >= (uint64_t)sequence->nevents * (c->ncuts + 1) &&
            before < sequence->nevents)
            c->cuts[c->ncuts++] = i;
    }
}

static void plan(struct cutting *c, uint32_t steps_apart)
{
    struct sca_workspace space = {.out_of_memory = c->out->space.out_of_memory};
    struct sca_event_sequence sequence;
    if (!c->profile->nranks)
        return;
    sca_trace_synthesis_of_rank(c->walk, &space, 0, &sequence);
    list_meetings(c, &sequence);
    choose_cuts(c, &sequence, steps_apart);
    sca_workspace_free(&space);
}

/* Whether a rank comes to the meetings in the same order as rank 0, and as a whole: of several
 * threads only one does. */
static bool comes_to_all(const struct cutting *c, const struct sca_event_sequence *sequence)
{
    uint32_t n = 0;
    if (sequence->nothers)
        return false;
    for (uint32_t i = 0; i < sequence->nops; i++) {
        const struct sca_replay_trace_op *op = &sequence->ops[i];
        if (!is_meeting(c, op))
            continue;
        if (n == c->nmeetings || c->meetings[n].comm != op->comm ||
            c->meetings[n].number != op->number)
            return false;
        n++;
    }
    return n == c->nmeetings;
}

struct cut_place { /* in a rank's walk */
    uint32_t event, op;
};

/* Behind the next cut, or the end where there is none left. */
static struct cut_place next_place(const struct cutting *c,
                                   const struct sca_event_sequence *sequence, struct cut_place from,
                                   uint32_t segment)
{
    uint32_t i = from.op;
    if (segment == c->ncuts)
        return (struct cut_place){sequence->nevents, sequence->nops};
    const struct meeting *end = &c->meetings[c->cuts[segment]];
    while (!is_meeting(c, &sequence->ops[i]) || sequence->ops[i].comm != end->comm ||
           sequence->ops[i].number != end->number)
        i++;
    uint32_t event = sequence->ops[i].event;
    while (i < sequence->nops && sequence->ops[i].event == event)
        i++;
    return (struct cut_place){event + 1, i};
}

static void take(struct cutting *c, const struct sca_event_sequence *all, struct cut_place from,
                 struct cut_place to, struct sca_event_sequence *sequences, uint32_t rank)
{
    struct sca_workspace *space = &c->out->space;
    struct sca_event_sequence *sequence = &sequences[rank];
    *sequence =
        (struct sca_event_sequence){.nevents = to.event - from.event, .nops = to.op - from.op};
    sequence->sites =
        sca_replay_trace_sites(space, sequences, rank, all->sites + from.event, sequence->nevents);
    sequence->interval = sca_workspace_grow(space, all->interval + from.event, sequence->nevents,
                                            sequence->nevents, sizeof *sequence->interval);
    sequence->ops = sca_workspace_grow(c->ops, all->ops + from.op, sequence->nops, sequence->nops,
                                       sizeof *sequence->ops);
    for (uint32_t i = 0; i < sequence->nops; i++)
        sequence->ops[i].event -= from.event;
    sca_replay_trace_take_others(space, all, sequence);
}

/* A rank's walk is only there until its parts of this process' segments are taken. */
static bool walk_rank(struct cutting *c, uint32_t rank)
{
    struct sca_workspace space = {.out_of_memory = c->out->space.out_of_memory};
    struct sca_traces *out = c->out;
    struct sca_event_sequence sequence;
    struct cut_place at = {0};
    out->lost += sca_trace_synthesis_of_rank(c->walk, &space, rank, &sequence);
    bool usual = !c->ncuts || comes_to_all(c, &sequence);
    for (uint32_t i = 0; usual && i < out->first + out->count; i++) {
        struct cut_place from = at;
        at = next_place(c, &sequence, from, i);
        if (i >= out->first)
            take(c, &sequence, from, at, out->traces[i - out->first].sequences, rank);
    }
    sca_workspace_free(&space);
    return usual;
}

static bool walk_all(struct cutting *c)
{
    struct sca_traces *out = c->out;
    sca_replay_trace_take(out, c->ncuts + 1);
    for (uint32_t i = 0; i < out->count; i++) {
        struct sca_trace *trace = &out->traces[i];
        *trace = (struct sca_trace){.nranks = c->profile->nranks, .weight = c->walk->factor};
        trace->sequences =
            sca_workspace_alloc(&out->space, trace->nranks, sizeof *trace->sequences);
    }
    out->lost = 0;
    for (uint32_t r = 0; r < c->profile->nranks; r++)
        if (!walk_rank(c, r))
            return false;
    for (uint32_t i = 0; i < out->count; i++)
        sca_replay_trace_number(&out->space, &out->traces[i]);
    return true;
}

void sca_segments_walk(struct sca_workspace *ops, const struct sca_ppg_run *run,
                       uint32_t steps_apart, struct sca_traces *out)
{
    struct sca_walk walk;
    struct cutting c = {.profile = run->profile, .walk = &walk, .ops = ops, .out = out};
    c.scratch.out_of_memory = ops->out_of_memory;
    sca_trace_synthesis_open(&c.scratch, run->profile, &walk);
    plan(&c, steps_apart);
    if (!walk_all(&c)) { /* ranks that go other ways: nothing is cut */
        sca_workspace_free(&out->space);
        c.ncuts = 0;
        walk_all(&c);
    }
    sca_workspace_free(&c.scratch);
}
