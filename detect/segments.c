#include "segments.h"

#include <string.h>

enum {
    STEPS_APART = 500000, /* in a segment, at least: below there is nothing to gain */
    MOST_SEGMENTS = 32    /* each keeps a few words per rank */
};

struct cutting {
    const struct sca_profile *profile;
    const struct sca_scene *whole;
    struct sca_room *room; /* the segments' */
    uint64_t nsteps;
    uint32_t nmeetings;              /* collectives that all ranks of the run leave together */
    const struct sca_scene_op **met; /* of rank 0 */
    uint64_t *before;                /* per meeting: steps up to it, of all ranks */
    uint32_t ncuts, *cuts;           /* meetings that end a segment */
    uint32_t *step, *op;             /* per rank: where the next segment begins */
};

static bool is_meeting(const struct cutting *c, const struct sca_scene_op *op)
{
    return op->kind == SCA_OP_COLLECTIVE && op->shape == SCA_ALL_TO_ALL &&
           op->comm < c->profile->ncomms && c->profile->comms[op->comm].size == c->profile->nranks;
}

static bool is_same(const struct sca_scene_op *a, const struct sca_scene_op *b)
{
    return a->comm == b->comm && a->number == b->number;
}

static void list_meetings(struct cutting *c, struct sca_room *scratch)
{
    const struct sca_track none = {0}, *track = c->whole->nranks ? &c->whole->tracks[0] : &none;
    c->met = sca_room_alloc(scratch, track->nops, sizeof *c->met);
    for (uint32_t i = 0; i < track->nops; i++)
        if (is_meeting(c, &track->ops[i]))
            c->met[c->nmeetings++] = &track->ops[i];
    c->before = sca_room_alloc(scratch, c->nmeetings, sizeof *c->before);
}

/* Whether a rank comes to the same meetings in the same order as rank 0. */
static bool count_rank(struct cutting *c, uint32_t rank)
{
    const struct sca_track *track = &c->whole->tracks[rank];
    uint32_t n = 0;
    for (uint32_t i = 0; i < track->nops; i++) {
        if (!is_meeting(c, &track->ops[i]))
            continue;
        if (n == c->nmeetings || !is_same(c->met[n], &track->ops[i]))
            return false;
        c->before[n++] += track->ops[i].step + (uint64_t)1;
    }
    return n == c->nmeetings;
}

static bool all_meet(struct cutting *c)
{
    for (uint32_t r = 0; r < c->whole->nranks; r++)
        if (!count_rank(c, r))
            return false;
    return true;
}

/* So that segments have about the same number of steps. */
static void choose_cuts(struct cutting *c, struct sca_room *scratch)
{
    uint64_t n = c->nsteps / STEPS_APART < MOST_SEGMENTS ? c->nsteps / STEPS_APART : MOST_SEGMENTS;
    c->cuts = sca_room_alloc(scratch, n + 1, sizeof *c->cuts);
    for (uint32_t i = 0; i < c->nmeetings && c->ncuts + 1 < n; i++)
        if (c->before[i] * n >= c->nsteps * (c->ncuts + 1) && c->before[i] < c->nsteps)
            c->cuts[c->ncuts++] = i;
}

/* The operations up to a meeting; `nmeetings`: up to the end. */
static uint32_t end_of(const struct cutting *c, const struct sca_track *track, uint32_t from,
                       uint32_t meeting)
{
    uint32_t i = from;
    if (meeting == c->nmeetings)
        return track->nops;
    while (!is_meeting(c, &track->ops[i]) || !is_same(&track->ops[i], c->met[meeting]))
        i++;
    while (i + 1 < track->nops && track->ops[i + 1].step == track->ops[i].step)
        i++;
    return i + 1;
}

/* Where a segment ends on a rank; the next one begins there. */
static void pass_by(struct cutting *c, uint32_t rank, uint32_t meeting)
{
    const struct sca_track *all = &c->whole->tracks[rank];
    uint32_t end = end_of(c, all, c->op[rank], meeting);
    c->step[rank] = meeting == c->nmeetings ? all->nsteps : all->ops[end - 1].step + 1;
    c->op[rank] = end;
}

static void take_track(struct cutting *c, uint32_t rank, uint32_t meeting, struct sca_track *tracks)
{
    const struct sca_track *all = &c->whole->tracks[rank];
    uint32_t from = c->step[rank], first_op = c->op[rank];
    struct sca_track *track = &tracks[rank];
    pass_by(c, rank, meeting);
    *track = (struct sca_track){.nsteps = c->step[rank] - from, .nops = c->op[rank] - first_op};
    track->sites = sca_scene_sites(c->room, tracks, rank, all->sites + from, track->nsteps);
    track->gap =
        sca_room_grow(c->room, all->gap + from, track->nsteps, track->nsteps, sizeof *track->gap);
    track->ops = all->ops + first_op;
    for (uint32_t i = 0; i < track->nops; i++)
        track->ops[i].step -= from;
}

static void take_segment(struct cutting *c, uint32_t meeting, struct sca_scene *out)
{
    const struct sca_scene *whole = c->whole;
    *out = (struct sca_scene){.nranks = whole->nranks, .weight = whole->weight};
    out->tracks = sca_room_alloc(c->room, whole->nranks, sizeof *out->tracks);
    for (uint32_t r = 0; r < whole->nranks; r++)
        take_track(c, r, meeting, out->tracks);
    sca_scene_number(c->room, out);
}

/* Those of other processes are passed by. */
static void take_own(struct cutting *c, struct sca_scenes *out)
{
    sca_scenes_take(out, c->ncuts + 1);
    for (uint32_t i = 0; i < out->first + out->count; i++) {
        uint32_t meeting = i < c->ncuts ? c->cuts[i] : c->nmeetings;
        if (i >= out->first)
            take_segment(c, meeting, &out->scenes[i - out->first]);
        else
            for (uint32_t r = 0; r < c->whole->nranks; r++)
                pass_by(c, r, meeting);
    }
}

void sca_segments_cut(const struct sca_profile *profile, const struct sca_scene *whole,
                      struct sca_scenes *out)
{
    struct sca_room scratch = {.out_of_memory = out->room.out_of_memory};
    struct cutting c = {.profile = profile, .whole = whole, .room = &out->room};
    c.step = sca_room_alloc(&scratch, whole->nranks, sizeof *c.step);
    c.op = sca_room_alloc(&scratch, whole->nranks, sizeof *c.op);
    for (uint32_t r = 0; r < whole->nranks; r++)
        c.nsteps += whole->tracks[r].nsteps;
    list_meetings(&c, &scratch);
    if (all_meet(&c))
        choose_cuts(&c, &scratch);
    take_own(&c, out);
    sca_room_free(&scratch);
}
