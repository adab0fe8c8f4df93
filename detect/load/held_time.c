#include "load/held_time.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

static bool is_in_interval(const struct sca_part_sample *s, const struct sca_held_scope *x)
{
    return s->previous == x->previous && s->next == x->site;
}

bool sca_held_time_is_in(const struct sca_part_sample *s, const struct sca_held_scope *scope)
{
    bool is_kind = scope->region ? s->in_mpi == SCA_SAMPLE_REGION_HELD && s->node == scope->region
                                 : s->in_mpi == SCA_SAMPLE_HELD;
    return is_kind && is_in_interval(s, scope);
}

/* Whether a sample is the first that tells of a lock in its region. */
static bool begins_region(const struct sca_rank *rank, uint32_t sample,
                          struct sca_held_scope *scope)
{
    const struct sca_part_sample *s = &rank->sample[sample];
    if (s->in_mpi != SCA_SAMPLE_REGION_HELD || !s->next || !s->node)
        return false;
    *scope = (struct sca_held_scope){s->previous, s->next, s->node, 0};
    for (uint32_t i = 0; i < sample; i++)
        if (sca_held_time_is_in(&rank->sample[i], scope))
            return false;
    const struct sca_part_interval *x = rank->intervals;
    while (scope->interval < rank->nintervals &&
           (x[scope->interval].previous != s->previous || x[scope->interval].site != s->next))
        scope->interval++;
    return scope->interval < rank->nintervals;
}

bool sca_held_scope_next(const struct sca_rank *rank, uint32_t *at, struct sca_held_scope *scope)
{
    while (*at < rank->nsamples)
        if (begins_region(rank, (*at)++, scope))
            return true;
    uint32_t i = (*at)++ - rank->nsamples;
    if (i < rank->nintervals)
        *scope =
            (struct sca_held_scope){rank->intervals[i].previous, rank->intervals[i].site, 0, i};
    return i < rank->nintervals;
}

/* All threads together computed in the interval's regions, by their clocks (prof/threads/team.h),
 * ns. */
static double worked_ns(const struct sca_rank *rank, const struct sca_held_scope *x)
{
    double ns = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (!is_in_interval(s, x) || !s->node)
            continue;
        double all_ns = (double)s->length_ns * s->thread;
        ns += s->in_mpi == SCA_SAMPLE_REGION ? all_ns : 0;
        ns -= s->in_mpi == SCA_SAMPLE_UNEVEN || s->in_mpi == SCA_SAMPLE_CONTENDED ? all_ns : 0;
    }
    return ns;
}

static double sampled(const struct sca_rank *rank, const struct sca_held_scope *x)
{
    double periods = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (s->in_mpi == SCA_SAMPLE_COMPUTES && is_in_interval(s, x))
            periods += (double)s->count;
    }
    return periods;
}

/* What a sample of the interval stands for, ns. Where clocks say what its threads computed, samples
 * only divide that: some are lost, for threads' samples may come after the call that ends it, or
 * while they let a lock go. */
static double worth_ns(const struct sca_rank *rank, const struct sca_held_scope *x)
{
    double worked = worked_ns(rank, x), periods = sampled(rank, x);
    double period_ns = (double)rank->sample_period_ns;
    return worked > periods * period_ns && periods >= SCA_ENOUGH_SAMPLES ? worked / periods
                                                                         : period_ns;
}

double sca_held_time_periods(const struct sca_rank *rank, const struct sca_held_scope *scope,
                             uint16_t lock)
{
    double periods = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (sca_held_time_is_in(&rank->sample[i], scope) && rank->sample[i].thread == lock)
            periods += (double)rank->sample[i].count;
    return periods;
}

struct sca_held_time sca_held_time_of(const struct sca_rank *rank,
                                      const struct sca_held_scope *scope)
{
    struct sca_held_time held = {0};
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (!sca_held_time_is_in(s, scope))
            continue;
        double periods = sca_held_time_periods(rank, scope, s->thread);
        if (periods > held.periods)
            held = (struct sca_held_time){s->thread, 0, periods};
    }
    held.ns = held.lock ? held.periods * worth_ns(rank, scope) : 0;
    return held;
}

/* ---- all ranks ---- */

static struct sca_held_times_entry *find(const struct sca_held_times *all,
                                         const struct sca_held_scope *x)
{
    for (uint32_t i = 0; i < all->n; i++) {
        const struct sca_held_scope *scope = &all->of[i].scope;
        if (scope->previous == x->previous && scope->site == x->site && scope->region == x->region)
            return &all->of[i];
    }
    return NULL;
}

static struct sca_held_times_entry *find_or_add(struct sca_held_times *all,
                                                const struct sca_held_scope *scope)
{
    struct sca_held_times_entry *found = find(all, scope);
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
    all->of[all->n] = (struct sca_held_times_entry){.scope = *scope};
    return &all->of[all->n++];
}

static int read_scope(struct sca_held_times *all, const struct sca_rank *rank,
                      const struct sca_held_scope *scope, uint64_t count)
{
    struct sca_held_time held = sca_held_time_of(rank, scope);
    struct sca_held_times_entry *entry = held.lock ? find_or_add(all, scope) : NULL;
    if (!entry)
        return held.lock ? SCA_ENOMEM : SCA_OK;
    entry->ns += held.ns;
    entry->periods += held.periods;
    entry->count += (double)count;
    return SCA_OK;
}

static int read_rank(struct sca_held_times *all, const struct sca_rank *rank)
{
    struct sca_held_scope scope;
    int status = SCA_OK;
    for (uint32_t at = 0; !status && sca_held_scope_next(rank, &at, &scope);)
        status = read_scope(all, rank, &scope, rank->intervals[scope.interval].count);
    return status;
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
double sca_held_times_usual(const struct sca_held_times *all, const struct sca_held_scope *scope,
                            uint64_t count, const struct sca_held_time *held)
{
    const struct sca_held_times_entry *entry = held->lock ? find(all, scope) : NULL;
    if (!entry || entry->count <= 0)
        return held->ns;
    double usual_ns = entry->ns * (double)count / entry->count;
    double usual = entry->periods * (double)count / entry->count;
    bool alike = fabs(held->periods - usual) <= SCA_TWICE * SCA_THREE_SIGMAS * sqrt(usual);
    return alike ? usual_ns : held->ns;
}
