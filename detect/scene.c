#include "scene.h"
#include "instances.h"
#include "routes.h"
#include "walk.h"

#include <math.h>
#include <string.h>

enum { LIKE_BEFORE = 4 }; /* ranks before that one may be like */

#define LEAST_COVERAGE 0.7 /* windows must show at least this part of the computation */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

int sca_collective_shape(const char *function)
{
    static const struct {
        const char *stem;
        int shape;
    } stems[] = {
        {"MPI_Barrier", SCA_ALL_TO_ALL},   {"MPI_Allreduce", SCA_ALL_TO_ALL},
        {"MPI_Allgather", SCA_ALL_TO_ALL}, {"MPI_Alltoall", SCA_ALL_TO_ALL},
        {"MPI_Bcast", SCA_ONE_TO_ALL},     {"MPI_Reduce_scatter", SCA_ALL_TO_ALL},
        {"MPI_Reduce", SCA_ALL_TO_ONE},    {"MPI_Scatter", SCA_ONE_TO_ALL},
        {"MPI_Gather", SCA_ALL_TO_ONE},    {"MPI_Scan", SCA_PREFIX},
        {"MPI_Exscan", SCA_PREFIX},        {"MPI_Comm_", SCA_ALL_TO_ALL},
        {"MPI_Win_fence", SCA_ALL_TO_ALL}, {"MPI_File_", SCA_ALL_TO_ALL},
        {"MPI_Cart_", SCA_ALL_TO_ALL},     {"MPI_Finalize", SCA_ALL_TO_ALL},
    };
    if (ends_with(function, "_init") || !strcmp(function, "MPI_Comm_idup"))
        return -1; /* starts nothing yet, or waits for nobody */
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (!strncmp(function, stems[i].stem, strlen(stems[i].stem)))
            return stems[i].shape;
    return -1;
}

/* Beyond 2^32 steps no machine has the memory to replay them. */
static void number_steps(struct sca_room *room, struct sca_scene *scene)
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

static const struct sca_window *find_window(const struct sca_rank *rank, uint64_t epoch)
{
    for (uint32_t w = 0; w < rank->nwindows; w++)
        if (rank->windows[w].epoch == epoch)
            return &rank->windows[w];
    return NULL;
}

static bool all_kept(const struct sca_profile *profile, const struct sca_window *window)
{
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_window *other = find_window(&profile->ranks[r], window->epoch);
        if (!other || other->epochs != window->epochs)
            return false;
    }
    return true;
}

/* The site that the rank most often comes from to this one; SCA_NONE if `likely` is one of those it
 * comes from, or if there is none. */
static uint32_t usual_before(const struct sca_rank *rank, uint32_t site, uint32_t likely)
{
    uint32_t usual = SCA_NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *interval = &rank->intervals[i];
        if (interval->site != site)
            continue;
        if (interval->previous == likely)
            return SCA_NONE;
        if (interval->count > most) {
            most = interval->count;
            usual = interval->previous;
        }
    }
    return usual;
}

/* Where a window is a whole number of the program's steps, what came before its first call came
 * before its last one too, unless it is the run's first. Where it is not, the intervals tell. */
static uint32_t call_before(const struct sca_routes *routes, const struct sca_window *window)
{
    if (!window->epoch && routes->start != SCA_NONE)
        return routes->start;
    if (!window->nevents)
        return SCA_NONE;
    uint32_t last = window->events[window->nevents - 1].site;
    uint32_t usual = usual_before(routes->rank, window->events[0].site, last);
    return usual == SCA_NONE || routes->left_out[usual] ? last : usual;
}

static uint32_t count_steps(struct sca_routes *routes, const struct sca_window *window)
{
    uint32_t previous = call_before(routes, window), n = 0;
    for (uint32_t e = 0; e < window->nevents; e++) {
        n += sca_route(routes, previous, window->events[e].site)->nlegs;
        previous = window->events[e].site;
    }
    return n;
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

static void play_event(const struct sca_profile *profile, const struct sca_route *route,
                       const struct sca_window *window, const struct sca_event *event,
                       struct sca_track *track, uint32_t *sites)
{
    for (uint32_t i = 0; i < route->nlegs; i++) {
        track->gap[track->nsteps] = (double)event->gap_ns * 1e-9 * route->legs[i].part;
        sites[++track->nsteps] = route->legs[i].site;
    }
    for (uint32_t i = 0; i < event->nops; i++)
        track->ops[track->nops++] =
            sca_scene_op(profile, &window->ops[event->first_op + i], track->nsteps - 1);
}

static uint32_t count_ops(const struct sca_window *window)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < window->nevents; e++)
        n += window->events[e].nops;
    return n;
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

static void play_window(struct sca_room *room, struct sca_routes *routes,
                        const struct sca_window *window, struct sca_track *tracks, uint32_t rank)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    struct sca_track *track = &tracks[rank];
    uint32_t previous = call_before(routes, window), most = count_steps(routes, window);
    uint32_t *sites = sca_room_alloc(&scratch, most + (size_t)1, sizeof *sites);
    *track = (struct sca_track){0};
    track->ops = sca_room_alloc(routes->room, count_ops(window), sizeof *track->ops);
    track->gap = sca_room_alloc(room, most, sizeof *track->gap);
    sites[0] = previous;
    for (uint32_t e = 0; e < window->nevents; e++) {
        play_event(routes->profile, sca_route(routes, previous, window->events[e].site), window,
                   &window->events[e], track, sites);
        previous = window->events[e].site;
    }
    track->sites = sca_scene_sites(room, tracks, rank, sites, track->nsteps);
    sca_room_free(&scratch);
}

struct choice { /* windows that all ranks kept, as rank 0 has them */
    uint32_t count;
    const struct sca_window **windows;
    double *weight;
};

/* A window stands for the windows of its class that happened, over those that all ranks kept. */
static void weigh(struct choice *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < c->count; k++)
            same += c->windows[k]->duration_class == c->windows[i]->duration_class;
        c->weight[i] = (double)c->windows[i]->class_total / same;
    }
}

static void choose_windows(struct sca_room *room, const struct sca_profile *profile,
                           struct choice *c)
{
    const struct sca_rank *first = &profile->ranks[0];
    c->windows = sca_room_alloc(room, first->nwindows, sizeof(void *));
    c->weight = sca_room_alloc(room, first->nwindows, sizeof *c->weight);
    for (uint32_t w = 0; w < first->nwindows; w++)
        if (all_kept(profile, &first->windows[w]))
            c->windows[c->count++] = &first->windows[w];
    weigh(c);
}

/* Whether the window's last call on this rank is one that all ranks of the run leave together. */
static bool ends_together(const struct sca_profile *profile, const struct sca_window *window)
{
    if (!window->nevents)
        return false;
    const struct sca_event *last = &window->events[window->nevents - 1];
    for (uint32_t i = 0; i < last->nops; i++) {
        const struct sca_op *op = &window->ops[last->first_op + i];
        if (op->kind == SCA_OP_COLLECTIVE && op->shape == SCA_ALL_TO_ALL &&
            op->comm < profile->ncomms && profile->comms[op->comm].size == profile->nranks)
            return true;
    }
    return false;
}

/* Windows are replayed as if all ranks began them at once. Where they do not, as in a pipeline,
 * each window would fill it anew, and waits that were carried in would be missing. As it ends, so
 * the one before it ended. */
static bool begin_together(const struct sca_profile *profile, const struct choice *c,
                           const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->windows[i]->epoch &&
            !ends_together(profile, find_window(rank, c->windows[i]->epoch)))
            return false;
    return true;
}

static void sum_excess(struct sca_room *room, struct sca_scenes *scenes, uint32_t nranks,
                       uint32_t nsites)
{
    size_t cells = (size_t)nranks * nsites;
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    float *all = sca_room_alloc(&scratch, cells, sizeof *all);
    float *excess = sca_room_alloc(room, cells, sizeof *excess);
    for (uint32_t i = 0; i < scenes->count; i++)
        for (uint32_t r = 0; r < nranks; r++)
            for (uint32_t k = 0; k < scenes->scenes[i].tracks[r].nsteps; k++) {
                const struct sca_track *track = &scenes->scenes[i].tracks[r];
                struct sca_step step = sca_step_of(track, k);
                size_t cell = (size_t)r * nsites + step.previous;
                all[cell] += (float)(step.gap * scenes->scenes[i].weight);
                excess[cell] += (float)(sca_excess_of(track, k) * scenes->scenes[i].weight);
            }
    for (size_t cell = 0; cell < cells; cell++)
        excess[cell] /= all[cell] > 0 ? all[cell] : 1;
    for (uint32_t i = 0; i < scenes->count; i++)
        scenes->scenes[i].excess = excess;
    sca_room_free(&scratch);
}

static void count_window(struct sca_routes *routes, const struct sca_window *window, double weight,
                         double *seconds)
{
    uint32_t previous = call_before(routes, window);
    for (uint32_t e = 0; e < window->nevents; e++) {
        const struct sca_event *event = &window->events[e];
        const struct sca_route *route = sca_route(routes, previous, event->site);
        for (uint32_t i = 0; i < route->nlegs; i++)
            seconds[route->legs[i].site] +=
                (double)event->gap_ns * 1e-9 * route->legs[i].part * weight;
        previous = event->site;
    }
}

static void count_rank(const struct sca_rank *rank, double *seconds)
{
    for (uint32_t i = 0; i < rank->nintervals; i++)
        seconds[rank->intervals[i].site] += sca_interval_seconds(&rank->intervals[i]);
}

/* Site by site: a step with many collectives is longer than a window, and what lies in the parts
 * of it that no window shows would have no price. */
static bool cover_enough(const double *shown, const double *exact, uint32_t nsites)
{
    double covered = 0, total = 0;
    for (uint32_t s = 0; s < nsites; s++) {
        covered += fmin(shown[s], exact[s]);
        total += exact[s];
    }
    return covered >= LEAST_COVERAGE * total;
}

static bool stand_for_run(struct sca_routes *routes, const struct choice *c)
{
    const struct sca_profile *profile = routes->profile;
    /* seconds before each call site: as the windows have it, weighted; and all */
    double *shown = sca_room_alloc(routes->room, profile->nsites, sizeof *shown);
    double *exact = sca_room_alloc(routes->room, profile->nsites, sizeof *exact);
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_rank *rank = sca_routes_of_rank(routes, r);
        if (!begin_together(profile, c, rank))
            return false;
        for (uint32_t i = 0; i < c->count; i++)
            count_window(routes, find_window(rank, c->windows[i]->epoch), c->weight[i], shown);
        count_rank(rank, exact);
    }
    return cover_enough(shown, exact, profile->nsites);
}

static void play_windows(struct sca_room *room, struct sca_routes *routes, const struct choice *c,
                         struct sca_scene *scenes)
{
    for (uint32_t r = 0; r < routes->profile->nranks; r++) {
        const struct sca_rank *rank = sca_routes_of_rank(routes, r);
        for (uint32_t i = 0; i < c->count; i++)
            play_window(room, routes, find_window(rank, c->windows[i]->epoch), scenes[i].tracks, r);
    }
}

static void from_windows(struct sca_room *room, struct sca_routes *routes, const struct choice *c,
                         struct sca_scenes *out)
{
    uint32_t nranks = routes->profile->nranks, nsites = routes->profile->nsites;
    out->count = c->count;
    out->recorded = true;
    out->scenes = sca_room_alloc(room, c->count, sizeof *out->scenes);
    for (uint32_t i = 0; i < c->count; i++) {
        out->scenes[i] = (struct sca_scene){.nranks = nranks, .weight = c->weight[i]};
        out->scenes[i].tracks = sca_room_alloc(room, nranks, sizeof *out->scenes[i].tracks);
    }
    play_windows(room, routes, c, out->scenes);
    for (uint32_t i = 0; i < c->count; i++) {
        number_steps(room, &out->scenes[i]);
        sca_instances_compare(room, &out->scenes[i], nsites);
    }
    sum_excess(room, out, nranks, nsites);
}

static bool play_recorded(struct sca_room *room, struct sca_room *scratch,
                          const struct sca_profile *profile, struct sca_scenes *out)
{
    struct choice c = {0};
    struct sca_routes routes;
    choose_windows(scratch, profile, &c);
    if (!c.count)
        return false;
    sca_routes_open(scratch, profile, &routes);
    bool recorded = stand_for_run(&routes, &c);
    if (recorded)
        from_windows(room, &routes, &c, out);
    sca_routes_close(&routes);
    return recorded;
}

void sca_scenes_build(struct sca_room *ops, const struct sca_ppg_run *run, struct sca_scenes *out)
{
    *out = (struct sca_scenes){.room.out_of_memory = ops->out_of_memory};
    if (run->nranks && play_recorded(&out->room, ops, run->profile, out))
        return;
    out->count = 1;
    out->scenes = sca_room_alloc(&out->room, 1, sizeof *out->scenes);
    sca_walk_run(&out->room, ops, run, &out->scenes[0]);
    number_steps(&out->room, &out->scenes[0]);
}

void sca_scenes_free(struct sca_scenes *scenes)
{
    sca_room_free(&scenes->room);
    scenes->scenes = NULL;
    scenes->count = 0;
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
