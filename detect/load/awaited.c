#include "load/awaited.h"
#include "sca_error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct awaited {
    const struct sca_profile *profile;
    uint32_t *users;   /* per communicator: ranks that use it; of objects alone */
    uint64_t *rounds;  /* per communicator: of a barrier outside MPI, */
    bool *in_turns;    /* and whether some of its ranks are not in all of them */
    uint64_t *waits;   /* per site, of the rank at hand: waits for objects that others use, too */
    uint32_t *site_of; /* per node: the site of a call outside MPI that it leads to, or 0 */
    bool any;
};

static bool is_object(const struct sca_comm *comm)
{
    return !strcmp(comm->kind, "shared object");
}

static bool is_barrier(const struct sca_comm *comm)
{
    return !strcmp(comm->kind, "pthread_barrier_wait");
}

/* Once a round one rank is chosen (FORMATS.md). */
static void count_rounds(struct awaited *a, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        const struct sca_part_collective *c = &rank->collectives[i];
        if (c->comm < a->profile->ncomms && is_barrier(&a->profile->comms[c->comm]))
            a->rounds[c->comm] += c->bytes;
    }
}

/* But for the one that a rank is in as the run breaks off. */
static void compare_rounds(struct awaited *a, const struct sca_rank *rank)
{
    for (uint32_t k = 0; k < rank->ncomms; k++) {
        uint64_t count = 0, rounds = a->rounds[rank->comms[k]];
        for (uint32_t i = 0; i < rank->ncollectives; i++)
            count += rank->collectives[i].comm == rank->comms[k] ? rank->collectives[i].count : 0;
        bool all = count <= rounds + 1 && rounds <= count + 1;
        if (is_barrier(&a->profile->comms[rank->comms[k]]) && !all)
            a->any = a->in_turns[rank->comms[k]] = true;
    }
}

static void look_at_barriers(struct awaited *a, struct sca_opened *opened)
{
    for (uint32_t r = 0; r < a->profile->nranks; r++)
        count_rounds(a, sca_rank_open(opened, r, SCA_OPEN_COLLECTIVES));
    for (uint32_t r = 0; r < a->profile->nranks; r++)
        compare_rounds(a, sca_rank_open(opened, r, SCA_OPEN_COLLECTIVES));
}

/* Nobody knows who meets whom there. */
static bool forget_turns(const struct awaited *a, struct sca_rank *rank)
{
    bool changed = false;
    for (uint32_t i = 0; i < rank->ncollectives; i++)
        if (a->in_turns[rank->collectives[i].comm]) {
            rank->collectives[i].count = 0;
            changed = true;
        }
    for (uint32_t w = 0; w < rank->nwindows; w++)
        for (uint32_t e = 0; e < rank->windows[w].nevents; e++) {
            struct sca_event *event = &rank->windows[w].events[e];
            if (event->nops && a->in_turns[rank->windows[w].ops[event->first_op].comm])
                event->nops = 0;
        }
    return changed;
}

static void count_users(struct awaited *a)
{
    const struct sca_profile *p = a->profile;
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; i < p->ranks[r].ncomms; i++) {
            uint32_t comm = p->ranks[r].comms[i];
            a->users[comm] += is_object(&p->comms[comm]);
            a->any |= a->users[comm] > 1;
        }
}

static void find_sites(struct awaited *a)
{
    const struct sca_profile *p = a->profile;
    for (uint32_t s = 1; s < p->nsites; s++)
        if (strncmp(p->sites[s].function, "MPI", 3) != 0 && p->sites[s].node < p->nnodes)
            a->site_of[p->sites[s].node] = s;
}

static void count_waits(struct awaited *a, const struct sca_rank *rank)
{
    memset(a->waits, 0, a->profile->nsites * sizeof *a->waits);
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        const struct sca_part_collective *c = &rank->collectives[i];
        if (c->comm < a->profile->ncomms && c->site < a->profile->nsites && a->users[c->comm] > 1)
            a->waits[c->site] += c->count;
    }
}

/* The record's, at a place where most waits are for other ranks. */
static bool is_awaited(const struct awaited *a, const struct sca_rank *rank,
                       const struct sca_part_sample *s)
{
    uint32_t site =
        s->in_mpi == SCA_SAMPLE_BLOCKED && s->node < a->profile->nnodes ? a->site_of[s->node] : 0;
    for (uint32_t i = 0; site && i < rank->nsites; i++)
        if (rank->sites[i].site == site)
            return 2 * a->waits[site] >= rank->sites[i].count;
    return false;
}

static uint64_t own_of(const struct sca_part_interval *x)
{
    return x->cpu_ns + x->blocked_ns;
}

static void take_from(struct sca_part_interval *x, uint64_t ns)
{
    x->blocked_ns -= ns < x->blocked_ns ? ns : x->blocked_ns;
    x->max_ns = x->max_ns < own_of(x) ? x->max_ns : own_of(x);
    x->min_ns = x->min_ns < x->max_ns ? x->min_ns : x->max_ns;
}

/* What is left of an interval, or of all that end at its call. */
static double part_left(const struct sca_rank *rank, const uint64_t *before, uint32_t previous,
                        uint32_t site)
{
    double all = 0, left = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *x = &rank->intervals[i];
        if (x->site == site && x->previous == previous)
            return before[i] ? (double)own_of(x) / (double)before[i] : 1;
        all += x->site == site ? (double)before[i] : 0;
        left += x->site == site ? (double)own_of(x) : 0;
    }
    return all > 0 ? left / all : 1;
}

static bool is_shorter(const struct sca_rank *rank, const uint64_t *before, uint32_t site)
{
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].site == site && own_of(&rank->intervals[i]) != before[i])
            return true;
    return false;
}

/* Windows do not say how long a rank was blocked: on the mean, as long as in all of the run. */
static void shorten_windows(const struct sca_rank *rank, const uint64_t *before)
{
    for (uint32_t w = 0; w < rank->nwindows; w++) {
        struct sca_event *event = rank->windows[w].events;
        for (uint32_t e = 0; e < rank->windows[w].nevents; e++)
            if (is_shorter(rank, before, event[e].site))
                event[e].gap_ns =
                    (uint64_t)((double)event[e].gap_ns * part_left(rank, before,
                                                                   e ? event[e - 1].site : SCA_NONE,
                                                                   event[e].site));
    }
}

static bool take_out_of_intervals(const struct awaited *a, struct sca_rank *rank)
{
    bool changed = false;
    for (uint32_t k = 0; k < rank->nsamples; k++) {
        struct sca_part_sample *s = &rank->sample[k];
        if (!is_awaited(a, rank, s))
            continue;
        s->in_mpi = SCA_SAMPLE_AWAITED;
        changed = true;
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (rank->intervals[i].previous == s->previous && rank->intervals[i].site == s->next)
                take_from(&rank->intervals[i], s->length_ns);
    }
    return changed;
}

static int take_out(const struct awaited *a, struct sca_rank *rank, bool *changed)
{
    uint64_t *before = calloc(rank->nintervals + 1ul, sizeof *before);
    if (!before)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        before[i] = own_of(&rank->intervals[i]);
    *changed = take_out_of_intervals(a, rank);
    if (*changed)
        shorten_windows(rank, before);
    free(before);
    return SCA_OK;
}

static int of_all_ranks(struct awaited *a, struct sca_profile *profile, struct sca_opened *opened)
{
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < profile->nranks; r++) {
        struct sca_rank rank = sca_rank_open_to_change(opened, r);
        bool changed = false;
        count_waits(a, &rank);
        status = take_out(a, &rank, &changed);
        if (!status && (forget_turns(a, &rank) || changed))
            status = sca_rank_open_keep(profile, r, &rank);
    }
    return status;
}

/* Most programs have none: then nothing is opened. */
bool sca_awaited_may_be_in(const struct sca_profile *profile)
{
    for (uint32_t c = 0; c < profile->ncomms; c++)
        if (is_object(&profile->comms[c]) || is_barrier(&profile->comms[c]))
            return true;
    return false;
}

int sca_awaited_take_out(struct sca_profile *profile, struct sca_opened *opened)
{
    if (!sca_awaited_may_be_in(profile))
        return SCA_OK;
    struct awaited a = {.profile = profile,
                        .users = calloc(profile->ncomms + 1ul, sizeof *a.users),
                        .rounds = calloc(profile->ncomms + 1ul, sizeof *a.rounds),
                        .in_turns = calloc(profile->ncomms + 1ul, sizeof *a.in_turns),
                        .waits = calloc(profile->nsites + 1ul, sizeof *a.waits),
                        .site_of = calloc(profile->nnodes + 1ul, sizeof *a.site_of)};
    bool ready = a.users && a.rounds && a.in_turns && a.waits && a.site_of;
    int status = ready ? SCA_OK : SCA_ENOMEM;
    if (!status) {
        look_at_barriers(&a, opened);
        count_users(&a);
        find_sites(&a);
    }
    if (!status && a.any)
        status = of_all_ranks(&a, profile, opened);
    free(a.users);
    free(a.rounds);
    free(a.in_turns);
    free(a.waits);
    free(a.site_of);
    return status;
}
