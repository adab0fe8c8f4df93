/*
 * What the replay plays: for every rank the sequence of its MPI calls with the computation
 * before each, and what each call depends on.
 *
 * A scene comes from recorded windows, one scene per window that all ranks kept, or, where no
 * windows were recorded, from the run's totals: each rank walks its intervals (previous call path
 * -> this one), always taking the one that lags furthest behind its exact count. For nested loops
 * that gives back the program's order; where it does not, counts still agree between ranks, so
 * that the k-th message of a pair and the k-th collective of a communicator find each other.
 * All in the room (scratch.h). Times in seconds.
 */
#ifndef SCA_DETECT_REPLAY_TRACE_H
#define SCA_DETECT_REPLAY_TRACE_H

#include "base/scratch.h"
#include "graph/ppg.h"
#include "team/team.h"

struct sca_step {            /* one MPI call */
    uint32_t site, previous; /* profile sites; previous: the computation before came after it */
    double gap;
};

/* Of a struct sca_op, what tells who depends on whom. */
struct sca_scene_op {
    uint32_t step; /* of the track */
    uint32_t comm;
    uint32_t number; /* its lower half: no scene is that long */
    int32_t tag;
    int32_t peer : 24; /* a rank of the run, or -1 */
    uint32_t kind : 4, shape : 4;
};

struct sca_track { /* a rank */
    uint32_t nsteps, nops;
    const uint32_t *sites; /* [i + 1] is the call of step i, [i] the one before it; ranks that go
                              through the same calls may have one array */
    double *gap;           /* per step */
    float *deviation; /* per step: the gap less the middle rank's in the same instance; above 0 it
                         is excess. instances.h. NULL: not known */
    float *disturbed; /* per step, of the gap: put down to shared cores; os_noise.h. NULL:
                         nothing is */
    float *transfer;  /* per step: inside the call before, beside waiting. NULL unless it grows */
    struct sca_scene_op *ops; /* by step, for links.h; not kept after that */
};

struct sca_scene {
    uint32_t nranks;
    struct sca_track *tracks;
    double weight; /* how often this happened in the run */
    /* [rank * gaps + gap] (intervals.h) of all scenes of the run: the part of the computation in
     * the gap that is excess. NULL where instances are not known: then a rank's are all alike. */
    const float *excess;
    const float *calm_excess; /* the same without what is put down to the cores; NULL: nothing is */
    /* first[r]: place of rank r's first step in arrays over all steps, rank by rank; nsteps in all
     */
    uint32_t *first, nsteps;
};

#define SCA_NO_STEP UINT32_MAX

struct sca_scenes { /* this process' of a run; alone, all */
    struct sca_team *team;
    uint32_t first, all; /* number of the first one among all, and how many those are */
    uint32_t count;
    struct sca_scene *scenes;
    double lost;          /* seconds of the run's computation that a walk did not reach */
    bool recorded;        /* from windows, */
    uint32_t shown;       /* of so many */
    struct sca_room room; /* what they live in, and their replays (what_if.h) */
};

/* Collectives of ranks in no recorded communicator: the run's end, where all wait for the last. */
#define SCA_COMM_END (SCA_NONE - 1)

void sca_scenes_free(struct sca_scenes *scenes);

/* Of `all` scenes, this process makes those from `first` on: sets count, and takes memory for them.
 */
void sca_scenes_take(struct sca_scenes *scenes, uint32_t all);

/* Fills `first` and `nsteps`, when the tracks stand. */
void sca_scene_number(struct sca_room *room, struct sca_scene *scene);

/* Adds the computation in each gap to seconds[], and what of it is excess to excess[], times the
 * scene's weight: both are [rank * gaps + gap]. The tracks know their deviations. */
void sca_scene_add_excess(const struct sca_scene *scene, const struct sca_gaps *gaps,
                          double *seconds, double *excess);

/* Gives the steps their transfers: per_call is [rank * nsites + site], seconds. */
void sca_scenes_add_transfer(struct sca_scenes *scenes, const double *per_call, uint32_t nsites);

struct sca_scene_op sca_scene_op(const struct sca_profile *profile, const struct sca_op *op,
                                 uint32_t step);

/* The sites of a rank's track: those of a rank before where they are the same, else a copy. */
const uint32_t *sca_scene_sites(struct sca_room *room, const struct sca_track *tracks,
                                uint32_t rank, const uint32_t *sites, uint32_t nsteps);

static inline struct sca_step sca_step_of(const struct sca_track *track, uint32_t step)
{
    return (struct sca_step){track->sites[step + 1], track->sites[step], track->gap[step]};
}

static inline double sca_excess_of(const struct sca_track *track, uint32_t step)
{
    return track->deviation && track->deviation[step] > 0 ? (double)track->deviation[step] : 0;
}

static inline double sca_disturbed_of(const struct sca_track *track, uint32_t step)
{
    return track->disturbed ? (double)track->disturbed[step] : 0;
}

static inline double sca_calm_excess_of(const struct sca_track *track, uint32_t step)
{
    double disturbed = sca_disturbed_of(track, step);
    if (!track->deviation || disturbed <= 0)
        return sca_excess_of(track, step);
    double deviation = (double)track->deviation[step] - disturbed;
    return deviation > 0 ? deviation : 0;
}

/* NULL where instances are not known. */
static inline const float *sca_excess_parts(const struct sca_scene *scene, bool calm)
{
    return calm && scene->calm_excess ? scene->calm_excess : scene->excess;
}

static inline double sca_transfer_of(const struct sca_track *track, uint32_t step)
{
    return track->transfer ? track->transfer[step] : 0;
}

static inline bool sca_input_is_collective(uint8_t kind)
{
    return kind >= SCA_OP_COLLECTIVE;
}

/* Which ranks a collective makes wait, by its MPI name; -1: none (it returns before the others
 * enter, or it is not known). */
int sca_collective_shape(const char *function);

#endif
