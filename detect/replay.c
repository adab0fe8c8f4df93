#include "replay.h"
#include "links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Ranks advance one after the other as far as they can. All dependences are on the *entering* of
 * another step, so a rank that is stuck names one step it needs: it is queued on that step's rank
 * (or on a collective) and looked at again when that rank enters something.
 */
struct sca_player {
    struct sca_replay *replay;
    const struct sca_scene *scene;
    struct sca_replay_links *links;
    uint32_t *at;    /* per rank: step entered but not left, or first[r + 1] when done */
    bool *entered;   /* per step */
    bool *queued;    /* per rank */
    uint32_t *ready; /* ring of ranks to look at */
    uint32_t head, tail;
    uint32_t *waiters, *next_waiter; /* list of ranks per rank waited on */
    uint32_t left;                   /* steps left so far */
};

static const double tiny = 1e-12;

static struct sca_player *new_player(struct sca_room *room, struct sca_replay *replay)
{
    const struct sca_scene *scene = replay->scene;
    struct sca_player *p = sca_room_alloc(room, 1, sizeof *p);
    *p = (struct sca_player){.scene = scene, .links = replay->links};
    p->at = sca_room_alloc(room, scene->nranks, sizeof *p->at);
    p->entered = sca_room_alloc(room, scene->nsteps, sizeof *p->entered);
    p->queued = sca_room_alloc(room, scene->nranks, sizeof *p->queued);
    p->ready = sca_room_alloc(room, (size_t)scene->nranks + 1, sizeof *p->ready);
    p->waiters = sca_room_alloc(room, scene->nranks, sizeof *p->waiters);
    p->next_waiter = sca_room_alloc(room, scene->nranks, sizeof *p->next_waiter);
    return p;
}

void sca_replay_open(struct sca_room *room, const struct sca_scene *scene, struct sca_replay *out)
{
    uint32_t n = scene->nsteps, i = 0;
    *out = (struct sca_replay){.scene = scene};
    out->gap = sca_room_alloc(room, n, sizeof *out->gap);
    out->enter = sca_room_alloc(room, n, sizeof *out->enter);
    out->exit = sca_room_alloc(room, n, sizeof *out->exit);
    out->waited_for = sca_room_alloc(room, n, sizeof *out->waited_for);
    out->order = sca_room_alloc(room, n, sizeof *out->order);
    out->links = sca_links_build(room, scene);
    out->player = new_player(room, out);
    for (uint32_t r = 0; r < scene->nranks; r++)
        for (uint32_t s = 0; s < scene->tracks[r].nsteps; s++)
            out->gap[i++] = scene->tracks[r].steps[s].gap + scene->tracks[r].steps[s].transfer;
}

uint32_t sca_replay_rank(const struct sca_replay *replay, uint32_t step)
{
    return replay->links->rank[step];
}

const struct sca_step *sca_replay_step(const struct sca_replay *replay, uint32_t step)
{
    uint32_t r = replay->links->rank[step];
    return &replay->scene->tracks[r].steps[step - replay->scene->first[r]];
}

bool sca_replay_is_collective(const struct sca_replay *replay, uint32_t step)
{
    return replay->links->first_group[step + 1] > replay->links->first_group[step];
}

static void make_ready(struct sca_player *p, uint32_t rank)
{
    if (p->queued[rank])
        return;
    p->queued[rank] = true;
    p->ready[p->tail] = rank;
    p->tail = (p->tail + 1) % (p->scene->nranks + 1);
}

/* Those who wait for something of this rank look again. */
static void wake(struct sca_player *p, uint32_t rank)
{
    uint32_t waiter = p->waiters[rank];
    p->waiters[rank] = SCA_NONE;
    while (waiter != SCA_NONE) {
        uint32_t next = p->next_waiter[waiter];
        make_ready(p, waiter);
        waiter = next;
    }
}

static void wait_on(struct sca_player *p, uint32_t rank, uint32_t step)
{
    uint32_t other = p->links->rank[step];
    p->next_waiter[rank] = p->waiters[other];
    p->waiters[other] = rank;
}

static void arrive(struct sca_player *p, uint32_t step)
{
    struct sca_replay_links *links = p->links;
    double time = p->replay->enter[step];
    for (uint32_t i = links->first_group[step]; i < links->first_group[step + 1]; i++) {
        struct sca_group *g = &links->groups[links->group[i]];
        if (links->role[i] == SCA_OP_COLLECTIVE_DONE)
            continue;
        if (g->last == SCA_NO_STEP || time > g->latest) {
            g->latest = time;
            g->last = step;
        }
    }
}

static void enter(struct sca_player *p, uint32_t rank)
{
    struct sca_replay *replay = p->replay;
    uint32_t step = p->at[rank];
    double before = step > p->scene->first[rank] ? replay->exit[step - 1] : 0;
    if (step == p->scene->first[rank + 1])
        return;
    replay->enter[step] = before + replay->gap[step];
    replay->exit[step] = replay->enter[step];
    replay->waited_for[step] = SCA_NO_STEP;
    p->entered[step] = true;
    arrive(p, step);
    wake(p, rank);
}

/* `rank` leaves its step no earlier than `other` is entered. False if that has not happened. */
static bool depend(struct sca_player *p, uint32_t rank, uint32_t other, bool force)
{
    uint32_t step = p->at[rank];
    struct sca_replay *replay = p->replay;
    if (other == step)
        return true;
    if (!p->entered[other]) {
        if (!force)
            wait_on(p, rank, other);
        return force;
    }
    if (replay->enter[other] > replay->exit[step] + tiny) {
        replay->exit[step] = replay->enter[other];
        replay->waited_for[step] = other;
    }
    return true;
}

/* A member that has not come yet, SCA_NO_STEP if all have. Starts where the last look ended. */
static uint32_t missing_member(const struct sca_player *p, struct sca_group *g)
{
    for (; g->seen < g->nmembers; g->seen++) {
        uint32_t member = p->links->members[g->first + g->seen];
        if (!p->entered[member])
            return member;
    }
    return SCA_NO_STEP;
}

static bool depend_on_all(struct sca_player *p, uint32_t rank, struct sca_group *g, bool force)
{
    uint32_t missing = missing_member(p, g);
    if (missing != SCA_NO_STEP && !force)
        return depend(p, rank, missing, false);
    return g->last == SCA_NO_STEP || depend(p, rank, g->last, force);
}

static bool depend_on_lower(struct sca_player *p, uint32_t rank, struct sca_group *g, bool force)
{
    uint32_t step = p->at[rank];
    for (uint32_t i = 0; i < g->nmembers; i++) {
        uint32_t member = p->links->members[g->first + i];
        if (member < step && !depend(p, rank, member, force))
            return false;
    }
    return true;
}

static bool depend_on_group(struct sca_player *p, uint32_t rank, struct sca_group *g, bool force)
{
    switch (g->shape) {
    case SCA_ONE_TO_ALL:
        return g->root == SCA_NO_STEP || depend(p, rank, g->root, force);
    case SCA_ALL_TO_ONE:
        return g->root == SCA_NO_STEP || p->links->rank[g->root] != rank ||
               depend_on_all(p, rank, g, force);
    case SCA_PREFIX:
        return depend_on_lower(p, rank, g, force);
    default:
        return depend_on_all(p, rank, g, force);
    }
}

static bool can_leave(struct sca_player *p, uint32_t rank, bool force)
{
    struct sca_replay_links *links = p->links;
    uint32_t step = p->at[rank];
    for (uint32_t i = links->first_dep[step]; i < links->first_dep[step + 1]; i++)
        if (!depend(p, rank, links->dep[i], force))
            return false;
    for (uint32_t i = links->first_group[step]; i < links->first_group[step + 1]; i++)
        if (links->role[i] != SCA_OP_COLLECTIVE_POST &&
            !depend_on_group(p, rank, &links->groups[links->group[i]], force))
            return false;
    return true;
}

static void leave(struct sca_player *p, uint32_t rank)
{
    struct sca_replay *replay = p->replay;
    uint32_t step = p->at[rank]++;
    replay->waits += replay->exit[step] - replay->enter[step];
    replay->end = fmax(replay->end, replay->exit[step]);
    replay->order[p->left++] = step;
    enter(p, rank);
}

static void advance_ready(struct sca_player *p)
{
    while (p->head != p->tail) {
        uint32_t rank = p->ready[p->head];
        p->head = (p->head + 1) % (p->scene->nranks + 1);
        p->queued[rank] = false;
        while (p->at[rank] < p->scene->first[rank + 1] && can_leave(p, rank, false))
            leave(p, rank);
    }
}

/* Nobody can go on: the earliest stuck rank leaves without what it waits for. */
static bool force_one(struct sca_player *p)
{
    uint32_t earliest = SCA_NONE;
    for (uint32_t r = 0; r < p->scene->nranks; r++)
        if (p->at[r] < p->scene->first[r + 1] &&
            (earliest == SCA_NONE || p->replay->exit[p->at[r]] < p->replay->exit[p->at[earliest]]))
            earliest = r;
    if (earliest == SCA_NONE)
        return false;
    can_leave(p, earliest, true);
    leave(p, earliest);
    p->replay->forced++;
    /* It may still stand in a list of waiters; being looked at once too often does no harm,
     * standing in two lists does. */
    for (uint32_t r = 0; r < p->scene->nranks; r++) {
        p->waiters[r] = SCA_NONE;
        make_ready(p, r);
    }
    return true;
}

static void reset_groups(struct sca_replay_links *links)
{
    for (uint32_t g = 0; g < links->ngroups; g++) {
        links->groups[g].seen = 0;
        links->groups[g].latest = 0;
        links->groups[g].last = SCA_NO_STEP;
    }
}

static void reset(struct sca_player *p, struct sca_replay *replay)
{
    uint32_t nranks = p->scene->nranks;
    replay->end = replay->waits = 0;
    replay->forced = 0;
    p->replay = replay;
    p->left = 0;
    p->head = p->tail = 0;
    memset(p->entered, 0, p->scene->nsteps * sizeof *p->entered);
    memset(p->queued, 0, nranks * sizeof *p->queued);
    memset(p->waiters, 0xff, nranks * sizeof *p->waiters);
    memset(p->next_waiter, 0xff, nranks * sizeof *p->next_waiter);
    reset_groups(p->links);
}

void sca_replay_run(struct sca_replay *replay)
{
    struct sca_player *p = replay->player;
    reset(p, replay);
    for (uint32_t r = 0; r < p->scene->nranks; r++) {
        p->at[r] = p->scene->first[r];
        make_ready(p, r);
        enter(p, r);
    }
    do
        advance_ready(p);
    while (force_one(p));
}
