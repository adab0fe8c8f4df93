#include "load/held_time.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

bool sca_held_time_is_in(const struct sca_part_sample *s, const struct sca_part_interval *x)
{
    return s->in_mpi == SCA_SAMPLE_HELD && s->previous == x->previous && s->next == x->site;
}

/* All threads together computed in the interval's regions, by their clocks (prof/threads/team.h),
 * ns. */
static double worked_ns(const struct sca_rank *rank, const struct sca_part_interval *x)
{
    double ns = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (s->previous != x->previous || s->next != x->site || !s->node)
            continue;
        double all_ns = (double)s->length_ns * s->thread;
        ns += s->in_mpi == SCA_SAMPLE_REGION ? all_ns : 0;
        ns -= s->in_mpi == SCA_SAMPLE_UNEVEN || s->in_mpi == SCA_SAMPLE_CONTENDED ? all_ns : 0;
    }
    return ns;
}

static double sampled(const struct sca_rank *rank, const struct sca_part_interval *x)
{
    double periods = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (s->in_mpi == SCA_SAMPLE_COMPUTES && s->previous == x->previous && s->next == x->site)
            periods += (double)s->count;
    }
    return periods;
}

/* What a sample of the interval stands for, ns. Where clocks say what its threads computed, samples
 * only divide that: some are lost, for threads' samples may come after the call that ends it, or
 * while they let a lock go. */
static double worth_ns(const struct sca_rank *rank, const struct sca_part_interval *x)
{
    double worked = worked_ns(rank, x), periods = sampled(rank, x);
    double period_ns = (double)rank->sample_period_ns;
    return worked > periods * period_ns && periods >= SCA_ENOUGH_SAMPLES ? worked / periods
                                                                         : period_ns;
}

static double periods_of(const struct sca_rank *rank, const struct sca_part_interval *x,
                         uint16_t lock)
{
    double periods = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (sca_held_time_is_in(&rank->sample[i], x) && rank->sample[i].thread == lock)
            periods += (double)rank->sample[i].count;
    return periods;
}

struct sca_held_time sca_held_time_of(const struct sca_rank *rank,
                                      const struct sca_part_interval *x)
{
    struct sca_held_time held = {0};
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        double periods = sca_held_time_is_in(s, x) ? periods_of(rank, x, s->thread) : 0;
        if (periods > held.periods)
            held = (struct sca_held_time){s->thread, 0, periods};
    }
    held.ns = held.lock ? held.periods * worth_ns(rank, x) : 0;
    return held;
}

/* ---- all ranks ---- */

static struct sca_held_times_entry *find(const struct sca_held_times *all,
                                         const struct sca_part_interval *x)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (all->of[i].previous == x->previous && all->of[i].site == x->site)
            return &all->of[i];
    return NULL;
}

static struct sca_held_times_entry *find_or_add(struct sca_held_times *all,
                                                const struct sca_part_interval *x)
{
    struct sca_held_times_entry *found = find(all, x);
    if (found)
        return found;
    if (all->n == all->capacity) {
        uint32_t capacity = all->capacity ? 2 * all->capacity : 16;
        void *grown = realloc(all->of, capacity * sizeof *all->of);
        if (!grown)
            return NULL;
        all->of = grown;
        all->capacity = capacity;
    }
    all->of[all->n] = (struct sca_held_times_entry){.previous = x->previous, .site = x->site};
    return &all->of[all->n++];
}

static int read_rank(struct sca_held_times *all, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *x = &rank->intervals[i];
        struct sca_held_time held = sca_held_time_of(rank, x);
        struct sca_held_times_entry *entry = held.lock ? find_or_add(all, x) : NULL;
        if (held.lock && !entry)
            return SCA_ENOMEM;
        if (!entry)
            continue;
        entry->ns += held.ns;
        entry->periods += held.periods;
        entry->count += (double)x->count;
    }
    return SCA_OK;
}

int sca_held_times_read(struct sca_held_times *all, const struct sca_profile *profile,
                        struct sca_opened *opened)
{
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < profile->nranks; r++) {
        const struct sca_rank *rank =
            sca_rank_open(opened, r, SCA_OPEN_SAMPLES | SCA_OPEN_INTERVALS);
        if (rank->present)
            status = read_rank(all, rank);
    }
    return status;
}

/* A sample may stand for several periods, of which only one is its own: twice the scatter. */
double sca_held_times_usual(const struct sca_held_times *all, const struct sca_part_interval *x,
                            const struct sca_held_time *held)
{
    const struct sca_held_times_entry *entry = held->lock ? find(all, x) : NULL;
    if (!entry || entry->count <= 0)
        return held->ns;
    double usual_ns = entry->ns * (double)x->count / entry->count;
    double usual = entry->periods * (double)x->count / entry->count;
    bool alike = fabs(held->periods - usual) <= SCA_TWICE * SCA_THREE_SIGMAS * sqrt(usual);
    return alike ? usual_ns : held->ns;
}
