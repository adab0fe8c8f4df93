#include "replay/replay.h"

#include <math.h>

/* Leaving a step is entering the next one of its rank; the last ones are left at the end. */
static void order_leaving(struct sca_room *room, struct sca_replay *replay)
{
    const struct sca_scene *scene = replay->scene;
    const struct sca_order *numbers = &replay->numbers;
    uint32_t n = 0;
    replay->order = sca_room_alloc_dense(room, scene->nsteps, sizeof *replay->order);
    for (uint32_t i = numbers->nfirst; i < scene->nsteps; i++)
        replay->order[n++] = numbers->number[numbers->place[i] - 1];
    for (uint32_t r = 0; r < scene->nranks; r++)
        if (scene->tracks[r].nsteps)
            replay->order[n++] = sca_replay_at(replay, r, scene->tracks[r].nsteps - 1);
}

static void take_gaps(struct sca_replay *replay)
{
    const struct sca_scene *scene = replay->scene;
    for (uint32_t r = 0; r < scene->nranks; r++)
        for (uint32_t i = 0; i < scene->tracks[r].nsteps; i++)
            replay->gap[sca_replay_at(replay, r, i)] =
                scene->tracks[r].gap[i] + sca_transfer_of(&scene->tracks[r], i);
}

void sca_replay_open(struct sca_room *room, const struct sca_scene *scene,
                     struct sca_replay_links *links, uint64_t most_forced, struct sca_replay *out)
{
    uint32_t n = scene->nsteps;
    *out = (struct sca_replay){.scene = scene, .stale = true};
    sca_order_find(room, scene, links, most_forced, &out->numbers);
    out->forced = out->numbers.forced;
    if (out->forced > most_forced)
        return;
    out->links = sca_links_renumber(room, links, out->numbers.number, out->numbers.place);
    order_leaving(room, out);
    out->gap = sca_room_alloc_dense(room, n, sizeof *out->gap);
    out->enter = sca_room_alloc_dense(room, n, sizeof *out->enter);
    out->waited_for = sca_room_alloc_dense(room, n, sizeof *out->waited_for);
    take_gaps(out);
}

uint32_t sca_replay_rank(const struct sca_replay *replay, uint32_t step)
{
    return sca_links_rank(replay->links, step);
}

struct sca_step sca_replay_step(const struct sca_replay *replay, uint32_t step)
{
    uint32_t rank = sca_replay_rank(replay, step);
    return sca_step_of(&replay->scene->tracks[rank], sca_replay_place(replay, rank, step));
}

bool sca_replay_is_collective(const struct sca_replay *replay, uint32_t step)
{
    const struct sca_replay_links *l = replay->links;
    uint32_t end = l->first_input[step + 1];
    return end > l->first_input[step] && sca_input_is_collective(l->kind[end - 1]);
}

static double leave(struct sca_replay *replay, uint32_t step)
{
    double exit = sca_links_leave(replay->links, replay->enter, step, &replay->waited_for[step]);
    replay->waits += exit - replay->enter[step];
    return exit;
}

static void enter(struct sca_replay *replay, uint32_t step, double begin)
{
    replay->enter[step] = begin + replay->gap[step];
    sca_links_enter(replay->links, step, replay->enter[step]);
}

static void reset(struct sca_replay *replay)
{
    replay->end = replay->waits = 0;
    sca_links_reset(replay->links);
    for (uint32_t i = 0; replay->forced && i < replay->scene->nsteps; i++)
        replay->enter[i] = -1; /* else nobody leaves before all have come that it waits for */
}

void sca_replay_run(struct sca_replay *replay)
{
    uint32_t n = replay->scene->nsteps, nfirst = replay->numbers.nfirst;
    replay->stale = false;
    reset(replay);
    for (uint32_t i = 0; i < nfirst; i++)
        enter(replay, i, 0);
    for (uint32_t i = nfirst; i < n; i++)
        enter(replay, i, leave(replay, replay->order[i - nfirst]));
    for (uint32_t i = n - nfirst; i < n; i++)
        replay->end = fmax(replay->end, leave(replay, replay->order[i]));
}
