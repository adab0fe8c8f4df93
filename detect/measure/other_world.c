#include "measure/other_world.h"
#include "base/degrees.h"
#include "trace/replay_trace.h"

#include <math.h>
#include <string.h>

enum { SHORT_MESSAGE = 4096 }; /* bytes: no MPI library waits for the receive of one as short */

struct call_site { /* of one rank */
    double seconds, calls;
    double here, there; /* messages with ranks of this world, and of others */
    double bytes;       /* of the latter */
    bool probes;        /* for one of another world, without taking it */
    uint32_t meets;     /* communicator whose members of other worlds meet it; SCA_NONE */
    bool meets_all;     /* nobody leaves before all have come */
};

struct other_world_walk { /* over the ranks, one at a time */
    const struct sca_profile *profile;
    struct sca_opened *opened;
    struct call_site *sites;
    double *least;        /* per communicator: seconds of a call of the rank that waits least, */
    double *time, *calls; /* and of the rank at hand, all of them, and how many */
};

/* MPI libraries copy short messages and go on: where that takes long, a core was missing. */
static bool waits_to_send(const struct other_world_walk *w, const struct sca_part_peer *p)
{
    return strstr(w->profile->sites[p->site].function, "Ssend") ||
           p->bytes > SHORT_MESSAGE * p->count;
}

static void add_messages(struct other_world_walk *w, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        struct call_site *site = &w->sites[p->site];
        bool there = p->peer <= SCA_FOREIGN;
        if (there && p->direction == SCA_SENT && !waits_to_send(w, p))
            continue;
        *(there ? &site->there : &site->here) += (double)p->count;
        site->bytes += there ? (double)p->bytes : 0;
        site->probes |= there && !p->count;
    }
}

static void add_meetings(struct other_world_walk *w, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        const struct sca_part_collective *c = &rank->collectives[i];
        const char *function = w->profile->sites[c->site].function;
        struct call_site *site = &w->sites[c->site];
        if (c->comm >= w->profile->ncomms || !w->profile->comms[c->comm].joins_worlds)
            continue;
        site->meets = c->comm;
        site->meets_all = sca_collective_shape(function) == SCA_ALL_TO_ALL;
    }
}

static void look_at(struct other_world_walk *w, uint32_t r)
{
    const struct sca_rank *rank =
        sca_rank_open(w->opened, r, SCA_OPEN_SITES | SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES);
    for (uint32_t s = 0; s < w->profile->nsites; s++)
        w->sites[s] = (struct call_site){.meets = SCA_NONE};
    for (uint32_t i = 0; i < rank->nsites; i++) {
        struct call_site *site = &w->sites[rank->sites[i].site];
        site->seconds = (double)rank->sites[i].time_ns * 1e-9;
        site->calls = (double)rank->sites[i].count;
    }
    add_messages(w, rank);
    add_meetings(w, rank);
}

/* Seconds of a call of this rank, per communicator. */
static void add_up_meetings(struct other_world_walk *w)
{
    size_t bytes = w->profile->ncomms * sizeof(double);
    memset(w->time, 0, bytes);
    memset(w->calls, 0, bytes);
    for (uint32_t s = 0; s < w->profile->nsites; s++)
        if (w->sites[s].meets != SCA_NONE && w->sites[s].meets_all) {
            w->time[w->sites[s].meets] += w->sites[s].seconds;
            w->calls[w->sites[s].meets] += w->sites[s].calls;
        }
}

static void find_least(struct other_world_walk *w)
{
    for (uint32_t g = 0; g < w->profile->ncomms; g++)
        w->least[g] = INFINITY;
    for (uint32_t r = 0; r < w->profile->nranks; r++) {
        look_at(w, r);
        add_up_meetings(w);
        for (uint32_t g = 0; g < w->profile->ncomms; g++)
            if (w->calls[g] > 0)
                w->least[g] = fmin(w->least[g], w->time[g] / w->calls[g]);
    }
}

static double seconds_of(const struct other_world_walk *w, uint32_t s)
{
    const struct call_site *site = &w->sites[s];
    double messages = site->here + site->there;
    double handling = site->there * SCA_MESSAGE_S + site->bytes / SCA_BYTES_PER_S;
    if (site->probes && !messages)
        return site->seconds;
    if (site->meets != SCA_NONE && site->meets_all && w->time[site->meets] > 0)
        return site->seconds * w->least[site->meets] * w->calls[site->meets] / w->time[site->meets];
    if (site->meets != SCA_NONE)
        return site->seconds;
    return site->there > 0 ? fmax(0, site->seconds * site->there / messages - handling) : 0;
}

static void take_rank(struct other_world_walk *w, double part, uint32_t r,
                      struct sca_other_world *out)
{
    look_at(w, r);
    add_up_meetings(w);
    for (uint32_t s = 0; s < w->profile->nsites; s++) {
        size_t cell = (size_t)r * w->profile->nsites + s;
        double seconds = w->sites[s].calls > 0 ? seconds_of(w, s) * part : 0;
        if (!(seconds > 0))
            continue;
        out->seconds[cell] = seconds;
        out->calls[cell] = w->sites[s].calls;
        out->per_call[cell] = seconds / w->sites[s].calls;
        out->total += seconds;
    }
}

/* Most programs have but one world. */
static bool joins_any(const struct sca_profile *profile)
{
    for (uint32_t i = 0; i < profile->ncomms; i++)
        if (profile->comms[i].joins_worlds)
            return true;
    return false;
}

void sca_other_world_measure(struct sca_workspace *space, const struct sca_ppg_run *run,
                             double part, struct sca_other_world *out)
{
    const struct sca_profile *profile = run->profile;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    size_t cells = (size_t)profile->nranks * profile->nsites, ncomms = profile->ncomms;
    *out = (struct sca_other_world){0};
    if (!joins_any(profile))
        return;
    struct other_world_walk w = {
        .profile = profile,
        .opened = sca_workspace_opened(&scratch, profile),
        .sites = sca_workspace_alloc(&scratch, profile->nsites, sizeof *w.sites),
        .least = sca_workspace_alloc(&scratch, ncomms, sizeof(double)),
        .time = sca_workspace_alloc(&scratch, ncomms, sizeof(double)),
        .calls = sca_workspace_alloc(&scratch, ncomms, sizeof(double))};
    out->per_call = sca_workspace_alloc(space, cells, sizeof(double));
    out->seconds = sca_workspace_alloc(space, cells, sizeof(double));
    out->calls = sca_workspace_alloc(space, cells, sizeof(double));
    find_least(&w);
    for (uint32_t r = 0; r < profile->nranks; r++)
        take_rank(&w, part, r, out);
    sca_workspace_free(&scratch);
}
