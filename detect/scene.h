/*
 * What the replay plays: for every rank the sequence of its MPI calls with the computation
 * before each, and what each call depends on.
 *
 * A scene comes from recorded windows, one scene per window that all ranks kept, or, where no
 * windows were recorded, from the run's totals: each rank walks its intervals (previous call path
 * -> this one), always taking the one that lags furthest behind its exact count. For nested loops
 * that gives back the program's order; where it does not, counts still agree between ranks, so
 * that the k-th message of a pair and the k-th collective of a communicator find each other.
 * All in the room (room.h). Times in seconds.
 */
#ifndef SCA_DETECT_SCENE_H
#define SCA_DETECT_SCENE_H

#include "measure.h"

struct sca_step {            /* one MPI call */
    uint32_t site, previous; /* profile sites; previous: the computation before came after it */
    double gap;
    float excess;   /* of the gap: what other ranks do not have in the same instance; instances.h */
    float transfer; /* inside the call before, beside waiting; 0 unless it is known to grow */
    uint32_t first_op, nops;
};

struct sca_track { /* a rank */
    uint32_t nsteps, nops;
    struct sca_step *steps;
    const struct sca_op *ops; /* for links.h; not kept after that */
};

struct sca_scene {
    uint32_t nranks;
    struct sca_track *tracks;
    double weight; /* how often this happened in the run */
    double lost;   /* part of the run's computation that the walk did not reach */
    /* [rank * nsites + site] of all scenes of the run: the part of the computation after the site
     * that is excess. NULL where instances are not known: then a rank's are all alike. */
    const float *excess;
    /* [first[r]] is the number of rank r's first step in arrays over all steps; nsteps in all */
    uint32_t *first, nsteps;
    bool no_messages; /* played without point-to-point dependences: they do not fit together */
};

#define SCA_NO_STEP UINT32_MAX

struct sca_scenes {
    uint32_t count;
    struct sca_scene *scenes;
    bool recorded; /* from windows */
};

/* Collectives of ranks in no recorded communicator: the run's end, where all wait for the last. */
#define SCA_COMM_END (SCA_NONE - 1)

/* The tracks' ops live in `ops`, with what else is not needed any longer when the links stand. */
void sca_scenes_build(struct sca_room *room, struct sca_room *ops, const struct sca_ppg_run *run,
                      struct sca_scenes *out);

/* Gives the steps their transfers: per_call is [rank * nsites + site], seconds. */
void sca_scenes_add_transfer(struct sca_scenes *scenes, const double *per_call, uint32_t nsites);

/* Which ranks a collective makes wait, by its MPI name; -1: none (it returns before the others
 * enter, or it is not known). */
int sca_collective_shape(const char *function);

#endif
