#include "load/serialised.h"
#include "sca_error.h"

#include <string.h>

enum { ENOUGH = 20 }; /* samples, for their sum to be worth comparing */

bool sca_serialised_is_lock(const struct sca_site *site)
{
    static const char *const names[] = {
        "pthread_mutex_lock",    "OpenMP critical",   "OpenMP lock", "pthread_rwlock_wrlock",
        "pthread_rwlock_rdlock", "pthread_spin_lock", "mtx_lock",    "OpenMP ordered"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(site->function, names[i]))
            return true;
    return false;
}

static bool has_locks(const struct sca_profile *profile)
{
    for (uint32_t s = 1; s < profile->nsites; s++)
        if (sca_serialised_is_lock(&profile->sites[s]))
            return true;
    return false;
}

static bool is_held_in(const struct sca_part_sample *s, const struct sca_part_interval *x)
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
    return worked > periods * period_ns && periods >= ENOUGH ? worked / periods : period_ns;
}

/* All threads together had that lock, ns. */
static double held_ns(const struct sca_rank *rank, const struct sca_part_interval *x,
                      uint16_t number, double worth)
{
    double periods = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (is_held_in(&rank->sample[i], x) && rank->sample[i].thread == number)
            periods += (double)rank->sample[i].count;
    return periods * worth;
}

/* The lock that they had longest; 0: none. */
static uint16_t busiest_lock(const struct sca_rank *rank, const struct sca_part_interval *x,
                             double worth, double *ns)
{
    uint16_t busiest = 0;
    *ns = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        double held =
            is_held_in(&rank->sample[i], x) ? held_ns(rank, x, rank->sample[i].thread, worth) : 0;
        if (held > *ns) {
            *ns = held;
            busiest = rank->sample[i].thread;
        }
    }
    return busiest;
}

static void share(const struct sca_rank *rank, const struct sca_part_interval *x, uint16_t number,
                  double missing_ns, double periods)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        struct sca_part_sample *s = &rank->sample[i];
        if (is_held_in(s, x) && s->thread == number)
            s->length_ns = (uint64_t)(missing_ns * (double)s->count / periods);
    }
}

static void lengthen(struct sca_part_interval *x, double missing_ns)
{
    uint64_t each_ns = (uint64_t)(missing_ns / (double)(x->count ? x->count : 1));
    x->cpu_ns += (uint64_t)missing_ns;
    x->min_ns += each_ns;
    x->max_ns += each_ns;
    if (x->wall_ns < x->cpu_ns + x->blocked_ns)
        x->wall_ns = x->cpu_ns + x->blocked_ns;
}

/* What a window begins with follows a call that it does not show: mostly this one. */
static bool is_usual(const struct sca_rank *rank, const struct sca_part_interval *x)
{
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].site == x->site && rank->intervals[i].count > x->count)
            return false;
    return true;
}

/* Of the windows' instances of that interval; what becomes of each. */
static double over_windows(const struct sca_rank *rank, const struct sca_part_interval *x,
                           uint64_t least_ns, double times, bool change)
{
    double sum_ns = 0;
    for (uint32_t w = 0; w < rank->nwindows; w++) {
        struct sca_event *event = rank->windows[w].events;
        for (uint32_t e = 0; e < rank->windows[w].nevents; e++) {
            bool is = event[e].site == x->site &&
                      (e ? event[e - 1].site == x->previous : is_usual(rank, x));
            uint64_t ns = event[e].gap_ns > least_ns ? event[e].gap_ns : least_ns;
            if (is && change)
                event[e].gap_ns = (uint64_t)((double)ns * times);
            sum_ns += is ? (double)(change ? event[e].gap_ns : ns) : 0;
        }
    }
    return sum_ns;
}

/* An instance in which threads did not meet at the lock is as short as its turns on the cores made
 * it; none is shorter than what they have the lock for, on the mean. Their sum grows as that of all
 * the run: to multiply each would make chance a difference between ranks. */
static void lengthen_windows(const struct sca_rank *rank, const struct sca_part_interval *x,
                             double times)
{
    uint64_t mean_ns = (uint64_t)(times * (double)x->cpu_ns / (double)(x->count ? x->count : 1));
    double before_ns = over_windows(rank, x, 0, 1, false);
    double after_ns = over_windows(rank, x, mean_ns, 1, false);
    if (after_ns > 0)
        (void)over_windows(rank, x, mean_ns, times * before_ns / after_ns, true);
}

static bool add_to_rank(struct sca_rank *rank)
{
    bool changed = false;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        struct sca_part_interval *x = &rank->intervals[i];
        double ns, own_ns = (double)x->cpu_ns, worth = worth_ns(rank, x);
        uint16_t lock = busiest_lock(rank, x, worth, &ns);
        if (!lock || ns <= own_ns || own_ns <= 0)
            continue;
        share(rank, x, lock, ns - own_ns, ns / worth);
        lengthen_windows(rank, x, ns / own_ns);
        lengthen(x, ns - own_ns);
        changed = true;
    }
    return changed;
}

/* Most programs have none: then nothing is opened. */
int sca_serialised_add(struct sca_profile *profile, struct sca_opened *opened)
{
    int status = SCA_OK;
    if (!has_locks(profile))
        return SCA_OK;
    for (uint32_t r = 0; !status && r < profile->nranks; r++) {
        struct sca_rank rank = sca_rank_open_to_change(opened, r);
        if (rank.present && add_to_rank(&rank))
            status = sca_rank_open_keep(profile, r, &rank);
    }
    return status;
}
