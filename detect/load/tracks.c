#include "load/tracks.h"
#include "sca_error.h"

#include <string.h>

struct division { /* of a rank's time */
    const struct sca_profile *profile;
    struct sca_rank rank;
    uint64_t own_ns[SCA_TRACKS + 1]; /* per thread: what it computes between calls of its own */
};

/* Most programs call MPI from one thread: then nothing is opened. */
bool sca_tracks_are_in(const struct sca_profile *p)
{
    for (uint32_t s = 0; s < p->nsites; s++)
        if (p->sites[s].thread)
            return true;
    return false;
}

static uint32_t thread_of(const struct division *d, uint32_t site)
{
    return site < d->profile->nsites ? d->profile->sites[site].thread : 0;
}

static uint32_t track_of(uint16_t thread)
{
    return thread < SCA_TRACKS ? thread : SCA_TRACKS;
}

static bool find_tracks(struct division *d)
{
    bool any = false;
    memset(d->own_ns, 0, sizeof d->own_ns);
    for (uint32_t i = 0; i < d->rank.nintervals; i++) {
        const struct sca_part_interval *x = &d->rank.intervals[i];
        uint32_t thread = thread_of(d, x->site);
        d->own_ns[thread] += x->cpu_ns;
        any |= thread != 0;
    }
    return any;
}

/* Calls that blocked a thread are known. What is left of such a stall, it waited for threads that
 * were in MPI themselves, for another rank: no time of its own. */
static void limit_blocked(const struct sca_rank *rank, struct sca_part_interval *x)
{
    uint64_t known_ns = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        bool is = s->in_mpi == SCA_SAMPLE_BLOCKED && s->previous == x->previous;
        known_ns += is && s->next == x->site ? s->length_ns : 0;
    }
    x->blocked_ns = x->blocked_ns < known_ns ? x->blocked_ns : known_ns;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of what the interval is said to have been helped with. */
static void take_help(struct sca_rank *rank, const struct sca_part_sample *wait, uint64_t ns)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        struct sca_part_sample *s = &rank->sample[i];
        if (s->in_mpi == SCA_SAMPLE_HELPED && s->previous == wait->previous &&
            s->next == wait->next)
            s->length_ns -= least_of(ns, s->length_ns);
    }
}

/* What a thread computes between its calls is on its own track: the first one's interval has it no
 * more. */
static void take_wait(struct division *d, struct sca_part_sample *wait)
{
    uint64_t *own_ns = &d->own_ns[track_of(wait->thread)];
    for (uint32_t i = 0; i < d->rank.nintervals; i++) {
        struct sca_part_interval *x = &d->rank.intervals[i];
        if (x->previous != wait->previous || x->site != wait->next)
            continue;
        uint64_t ns = least_of(least_of(wait->length_ns, x->cpu_ns), *own_ns);
        x->cpu_ns -= ns;
        *own_ns -= ns;
        wait->length_ns -= ns;
        take_help(&d->rank, wait, ns);
    }
}

/* What another thread sleeps between its calls, as one that looks after something now and then, is
 * no time of the rank's. */
static void forget_sleeps(struct division *d)
{
    for (uint32_t i = 0; i < d->rank.nintervals; i++)
        if (thread_of(d, d->rank.intervals[i].site))
            d->rank.intervals[i].blocked_ns = 0;
    for (uint32_t i = 0; i < d->rank.nsamples; i++) {
        struct sca_part_sample *s = &d->rank.sample[i];
        if (s->in_mpi == SCA_SAMPLE_BLOCKED && thread_of(d, s->previous))
            s->count = s->length_ns = 0;
    }
}

/* A team's threads call MPI themselves: which of them it waited for is not said. */
static void take_region(struct division *d, struct sca_part_sample *helped)
{
    for (uint32_t k = 1; k <= SCA_TRACKS && helped->length_ns; k++) {
        struct sca_part_sample wait = *helped;
        wait.thread = (uint16_t)k;
        take_wait(d, &wait);
    }
}

/* Before its first call nobody knew that a thread would call MPI: its samples lie where the first
 * thread was. */
static void take_first_samples(struct division *d, const struct sca_part_interval *first)
{
    uint32_t thread = thread_of(d, first->site);
    for (uint32_t i = 0; i < d->rank.nsamples; i++) {
        struct sca_part_sample *s = &d->rank.sample[i];
        if (s->in_mpi != SCA_SAMPLE_COMPUTES || track_of(s->thread) != thread ||
            thread_of(d, s->previous) == thread)
            continue;
        s->previous = first->previous;
        s->next = first->site;
    }
}

/* The longest, of threads that followed each other. */
static void take_starts(struct division *d)
{
    const struct sca_part_interval *longest[SCA_TRACKS + 1] = {NULL};
    for (uint32_t i = 0; i < d->rank.nintervals; i++) {
        const struct sca_part_interval *x = &d->rank.intervals[i];
        uint32_t thread = thread_of(d, x->site);
        if (x->previous < d->profile->nsites &&
            !strcmp(d->profile->sites[x->previous].function, "thread start") &&
            (!longest[thread] || x->cpu_ns > longest[thread]->cpu_ns))
            longest[thread] = x;
    }
    for (uint32_t k = 1; k <= SCA_TRACKS; k++)
        if (longest[k])
            take_first_samples(d, longest[k]);
}

static void take_waits(struct division *d)
{
    for (uint32_t i = 0; i < d->rank.nsamples; i++)
        if (d->rank.sample[i].in_mpi == SCA_SAMPLE_THREAD && d->rank.sample[i].thread)
            take_wait(d, &d->rank.sample[i]);
    for (uint32_t i = 0; i < d->rank.nsamples; i++)
        if (d->rank.sample[i].in_mpi == SCA_SAMPLE_HELPED)
            take_region(d, &d->rank.sample[i]);
    for (uint32_t i = 0; i < d->rank.nintervals; i++)
        limit_blocked(&d->rank, &d->rank.intervals[i]);
}

int sca_tracks_divide(struct sca_profile *profile, struct sca_opened *opened)
{
    int status = SCA_OK;
    if (!sca_tracks_are_in(profile))
        return SCA_OK;
    for (uint32_t r = 0; !status && r < profile->nranks; r++) {
        struct division d = {.profile = profile, .rank = sca_rank_open_to_change(opened, r)};
        if (!d.rank.present || !find_tracks(&d))
            continue;
        take_starts(&d);
        take_waits(&d);
        forget_sleeps(&d);
        status = sca_rank_open_keep(profile, r, &d.rank);
    }
    return status;
}
