#include "trace/segments.h"
#include "trace/trace_synthesis.h"

enum { MOST_SEGMENTS = 32 }; /* each keeps a few words per rank */

struct meeting {                 /* a collective that all ranks of the run leave together */
    uint32_t comm, number, step; /* of rank 0 */
};

struct cutting {
    const struct sca_profile *profile;
    const struct sca_walk *walk;
    struct sca_room *ops, scratch;
    struct sca_scenes *out;
    uint32_t nmeetings;
    struct meeting *meetings;
    uint32_t ncuts, *cuts; /* meetings that end a segment */
};

static bool is_meeting(const struct cutting *c, const struct sca_scene_op *op)
{
    return op->kind == SCA_OP_COLLECTIVE && op->shape == SCA_ALL_TO_ALL &&
           op->comm < c->profile->ncomms && c->profile->comms[op->comm].size == c->profile->nranks;
}

static void list_meetings(struct cutting *c, const struct sca_track *track)
{
    c->meetings = sca_room_alloc(&c->scratch, track->nops, sizeof *c->meetings);
    for (uint32_t i = 0; i < track->nops; i++) {
        const struct sca_scene_op *op = &track->ops[i];
        if (is_meeting(c, op))
            c->meetings[c->nmeetings++] = (struct meeting){op->comm, op->number, op->step};
    }
}

/* So that segments have about the same number of steps: on rank 0, which is taken for all. */
static void choose_cuts(struct cutting *c, const struct sca_track *track, uint32_t steps_apart)
{
    uint64_t all = (uint64_t)track->nsteps * c->profile->nranks / steps_apart;
    uint32_t n = all < MOST_SEGMENTS ? (uint32_t)all : MOST_SEGMENTS;
    n = n < SCA_WORTH_CUTTING ? 0 : n;
    c->cuts = sca_room_alloc(&c->scratch, n + (size_t)1, sizeof *c->cuts);
    for (uint32_t i = 0; i < c->nmeetings && c->ncuts + 1 < n; i++) {
        uint64_t before = c->meetings[i].step + (uint64_t)1;
        if (before * n >= (uint64_t)track->nsteps * (c->ncuts + 1) && before < track->nsteps)
            c->cuts[c->ncuts++] = i;
    }
}

static void plan(struct cutting *c, uint32_t steps_apart)
{
    struct sca_room room = {.out_of_memory = c->out->room.out_of_memory};
    struct sca_track track;
    if (!c->profile->nranks)
        return;
    sca_walk_rank(c->walk, &room, 0, &track);
    list_meetings(c, &track);
    choose_cuts(c, &track, steps_apart);
    sca_room_free(&room);
}

/* Whether a rank comes to the meetings in the same order as rank 0. */
static bool comes_to_all(const struct cutting *c, const struct sca_track *track)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < track->nops; i++) {
        const struct sca_scene_op *op = &track->ops[i];
        if (!is_meeting(c, op))
            continue;
        if (n == c->nmeetings || c->meetings[n].comm != op->comm ||
            c->meetings[n].number != op->number)
            return false;
        n++;
    }
    return n == c->nmeetings;
}

struct place { /* in a rank's walk */
    uint32_t step, op;
};

/* Behind the next cut, or the end where there is none left. */
static struct place next_place(const struct cutting *c, const struct sca_track *track,
                               struct place from, uint32_t segment)
{
    uint32_t i = from.op;
    if (segment == c->ncuts)
        return (struct place){track->nsteps, track->nops};
    const struct meeting *end = &c->meetings[c->cuts[segment]];
    while (!is_meeting(c, &track->ops[i]) || track->ops[i].comm != end->comm ||
           track->ops[i].number != end->number)
        i++;
    uint32_t step = track->ops[i].step;
    while (i < track->nops && track->ops[i].step == step)
        i++;
    return (struct place){step + 1, i};
}

static void take(struct cutting *c, const struct sca_track *all, struct place from, struct place to,
                 struct sca_track *tracks, uint32_t rank)
{
    struct sca_room *room = &c->out->room;
    struct sca_track *track = &tracks[rank];
    *track = (struct sca_track){.nsteps = to.step - from.step, .nops = to.op - from.op};
    track->sites = sca_scene_sites(room, tracks, rank, all->sites + from.step, track->nsteps);
    track->gap =
        sca_room_grow(room, all->gap + from.step, track->nsteps, track->nsteps, sizeof *track->gap);
    track->ops =
        sca_room_grow(c->ops, all->ops + from.op, track->nops, track->nops, sizeof *track->ops);
    for (uint32_t i = 0; i < track->nops; i++)
        track->ops[i].step -= from.step;
}

/* A rank's walk is only there until its parts of this process' segments are taken. */
static bool walk_rank(struct cutting *c, uint32_t rank)
{
    struct sca_room room = {.out_of_memory = c->out->room.out_of_memory};
    struct sca_scenes *out = c->out;
    struct sca_track track;
    struct place at = {0};
    out->lost += sca_walk_rank(c->walk, &room, rank, &track);
    bool usual = !c->ncuts || comes_to_all(c, &track);
    for (uint32_t i = 0; usual && i < out->first + out->count; i++) {
        struct place from = at;
        at = next_place(c, &track, from, i);
        if (i >= out->first)
            take(c, &track, from, at, out->scenes[i - out->first].tracks, rank);
    }
    sca_room_free(&room);
    return usual;
}

static bool walk_all(struct cutting *c)
{
    struct sca_scenes *out = c->out;
    sca_scenes_take(out, c->ncuts + 1);
    for (uint32_t i = 0; i < out->count; i++) {
        struct sca_scene *scene = &out->scenes[i];
        *scene = (struct sca_scene){.nranks = c->profile->nranks, .weight = c->walk->factor};
        scene->tracks = sca_room_alloc(&out->room, scene->nranks, sizeof *scene->tracks);
    }
    out->lost = 0;
    for (uint32_t r = 0; r < c->profile->nranks; r++)
        if (!walk_rank(c, r))
            return false;
    for (uint32_t i = 0; i < out->count; i++)
        sca_scene_number(&out->room, &out->scenes[i]);
    return true;
}

void sca_segments_walk(struct sca_room *ops, const struct sca_ppg_run *run, uint32_t steps_apart,
                       struct sca_scenes *out)
{
    struct sca_walk walk;
    struct cutting c = {.profile = run->profile, .walk = &walk, .ops = ops, .out = out};
    c.scratch.out_of_memory = ops->out_of_memory;
    sca_walk_open(&c.scratch, run->profile, &walk);
    plan(&c, steps_apart);
    if (!walk_all(&c)) { /* ranks that go other ways: nothing is cut */
        sca_room_free(&out->room);
        c.ncuts = 0;
        walk_all(&c);
    }
    sca_room_free(&c.scratch);
}
