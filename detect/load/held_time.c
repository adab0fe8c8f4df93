#include "load/held_time.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct interval_sums {
    double worked_ns; /* all threads together computed in its regions, by their clocks
                         (prof/threads/team.h) */
    double periods;   /* of samples that compute */
};

static void add_record(const struct sca_part_sample *s, struct interval_sums *sums)
{
    double all_ns = s->node ? (double)s->length_ns * s->thread : 0;
    switch (s->in_mpi) {
    case SCA_SAMPLE_REGION:
        sums->worked_ns += all_ns;
        break;
    case SCA_SAMPLE_UNEVEN:
    case SCA_SAMPLE_CONTENDED:
        sums->worked_ns -= all_ns;
        break;
    case SCA_SAMPLE_COMPUTES:
        sums->periods += (double)s->count;
        break;
    default:
        break;
    }
}

/* What a sample of the interval stands for, ns. Where clocks say what its threads computed, samples
 * only divide that: some are lost, for threads' samples may come after the call that ends it, or
 * while they let a lock go. */
static double worth_ns(const struct sca_held_records *records, const struct sca_held_scope *x)
{
    struct interval_sums sums = {0};
    struct sca_held_range in = sca_held_records_in(records, x);
    for (; in.first < in.end; in.first++)
        add_record(sca_held_record_sample(records, in.first), &sums);
    double period_ns = (double)records->rank->sample_period_ns;
    return sums.worked_ns > sums.periods * period_ns && sums.periods >= SCA_ENOUGH_SAMPLES
               ? sums.worked_ns / sums.periods
               : period_ns;
}

struct sca_held_time sca_held_time_of(const struct sca_held_records *records,
                                      const struct sca_held_scope *scope)
{
    struct sca_held_time held = {0}, one = {0};
    struct sca_held_range of = sca_held_records_of_locks(records, scope);
    for (; of.first < of.end; of.first++) {
        if (of.first->thread != one.lock)
            one = (struct sca_held_time){.lock = of.first->thread};
        one.periods += (double)sca_held_record_sample(records, of.first)->count;
        if (one.periods > held.periods)
            held = one;
    }
    held.ns = held.lock ? held.periods * worth_ns(records, scope) : 0;
    return held;
}

/* ---- all ranks ---- */

static int by_scope(const struct sca_held_scope *a, const struct sca_held_scope *b)
{
    const uint32_t left[] = {a->previous, a->site, a->region};
    const uint32_t right[] = {b->previous, b->site, b->region};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

/* The first that is not before it. */
static uint32_t lower_bound(const struct sca_held_times *all, const struct sca_held_scope *scope)
{
    uint32_t low = 0, high = all->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_scope(&all->of[middle].scope, scope) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct sca_held_times_entry *find(const struct sca_held_times *all,
                                         const struct sca_held_scope *scope)
{
    uint32_t i = lower_bound(all, scope);
    return i < all->n && !by_scope(&all->of[i].scope, scope) ? &all->of[i] : NULL;
}

static int grow(struct sca_held_times *all)
{
    uint32_t capacity = all->capacity ? 2 * all->capacity : 16;
    void *grown = all->n < all->capacity ? all->of : realloc(all->of, capacity * sizeof *all->of);
    if (!grown)
        return SCA_ENOMEM;
    all->capacity = all->n < all->capacity ? all->capacity : capacity;
    all->of = grown;
    return SCA_OK;
}

/* Most ranks have the same ones, so that few are put between others. */
static struct sca_held_times_entry *find_or_add(struct sca_held_times *all,
                                                const struct sca_held_scope *scope)
{
    struct sca_held_times_entry *found = find(all, scope);
    if (found || grow(all))
        return found;
    uint32_t i = lower_bound(all, scope);
    memmove(&all->of[i + 1], &all->of[i], (all->n++ - i) * sizeof *all->of);
    all->of[i] = (struct sca_held_times_entry){.scope = *scope};
    return &all->of[i];
}

static int read_scope(struct sca_held_times *all, const struct sca_held_records *records,
                      const struct sca_held_scope *scope)
{
    struct sca_held_time held = sca_held_time_of(records, scope);
    struct sca_held_times_entry *entry = held.lock ? find_or_add(all, scope) : NULL;
    if (!entry)
        return held.lock ? SCA_ENOMEM : SCA_OK;
    entry->ns += held.ns;
    entry->periods += held.periods;
    entry->count += (double)records->rank->intervals[scope->interval].count;
    return SCA_OK;
}

static int read_rank(struct sca_held_times *all, const struct sca_rank *rank)
{
    struct sca_held_records records;
    struct sca_held_scope scope;
    int status = sca_held_records_open(&records, rank);
    for (uint32_t at = 0; !status && sca_held_records_next(&records, &at, &scope);)
        status = read_scope(all, &records, &scope);
    sca_held_records_close(&records);
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
