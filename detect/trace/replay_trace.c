#include "trace/replay_trace.h"

#include <string.h>

enum { LIKE_BEFORE = 4 }; /* ranks before that one may be like */

/* Beyond 2^32 steps no machine has the memory to replay them. */
void sca_scene_number(struct sca_room *room, struct sca_scene *scene)
{
    uint64_t nsteps = 0;
    scene->first = sca_room_alloc(room, (size_t)scene->nranks + 1, sizeof *scene->first);
    for (uint32_t r = 0; r < scene->nranks; r++) {
        scene->first[r] = (uint32_t)nsteps;
        nsteps += scene->tracks[r].nsteps;
        if (nsteps >= SCA_NO_STEP)
            longjmp(*room->out_of_memory, 1);
    }
    scene->first[scene->nranks] = scene->nsteps = (uint32_t)nsteps;
}

struct sca_scene_op sca_scene_op(const struct sca_profile *profile, const struct sca_op *op,
                                 uint32_t step)
{
    bool known = op->peer >= 0 && (uint32_t)op->peer < profile->nranks;
    return (struct sca_scene_op){.step = step,
                                 .comm = op->comm,
                                 .number = (uint32_t)op->number,
                                 .tag = op->tag,
                                 .peer = known ? op->peer : -1,
                                 .kind = op->kind,
                                 .shape = op->shape};
}

const uint32_t *sca_scene_sites(struct sca_room *room, const struct sca_track *tracks,
                                uint32_t rank, const uint32_t *sites, uint32_t nsteps)
{
    for (uint32_t r = rank; r > 0 && r + LIKE_BEFORE > rank; r--)
        if (tracks[r - 1].nsteps == nsteps &&
            !memcmp(tracks[r - 1].sites, sites, (nsteps + (size_t)1) * sizeof *sites))
            return tracks[r - 1].sites;
    return sca_room_grow(room, sites, nsteps + (size_t)1, nsteps + (size_t)1, sizeof *sites);
}

void sca_scenes_take(struct sca_scenes *scenes, uint32_t all)
{
    scenes->all = all;
    scenes->first = sca_team_first(scenes->team, all);
    scenes->count = sca_team_end(scenes->team, all) - scenes->first;
    scenes->scenes = sca_room_alloc(&scenes->room, scenes->count, sizeof *scenes->scenes);
}

void sca_scenes_free(struct sca_scenes *scenes)
{
    sca_room_free(&scenes->room);
    scenes->scenes = NULL;
    scenes->count = 0;
}

void sca_scene_add_excess(const struct sca_scene *scene, const struct sca_gaps *gaps,
                          double *seconds, double *excess)
{
    for (uint32_t r = 0; r < scene->nranks; r++)
        for (uint32_t k = 0; k < scene->tracks[r].nsteps; k++) {
            struct sca_step step = sca_step_of(&scene->tracks[r], k);
            uint32_t gap = sca_gap_number(gaps, step.previous, step.site);
            if (gap == SCA_NONE)
                continue;
            size_t cell = (size_t)r * gaps->n + gap;
            seconds[cell] += step.gap * scene->weight;
            excess[cell] += sca_excess_of(&scene->tracks[r], k) * scene->weight;
        }
}

void sca_scenes_add_transfer(struct sca_scenes *scenes, const double *per_call, uint32_t nsites)
{
    for (uint32_t i = 0; i < scenes->count; i++)
        for (uint32_t r = 0; r < scenes->scenes[i].nranks; r++) {
            struct sca_track *track = &scenes->scenes[i].tracks[r];
            track->transfer = sca_room_alloc(&scenes->room, track->nsteps, sizeof *track->transfer);
            for (uint32_t k = 0; k < track->nsteps; k++)
                if (track->sites[k] < nsites)
                    track->transfer[k] = (float)per_call[(size_t)r * nsites + track->sites[k]];
        }
}
