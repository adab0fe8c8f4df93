#include "load/serialised.h"
#include "sca_error.h"

#include <string.h>

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

/* All threads together had that lock, ns. */
static double held_ns(const struct sca_rank *rank, const struct sca_part_interval *x,
                      uint16_t number)
{
    double periods = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (is_held_in(&rank->sample[i], x) && rank->sample[i].thread == number)
            periods += (double)rank->sample[i].count;
    return periods * (double)rank->sample_period_ns;
}

/* The lock that they had longest; 0: none. */
static uint16_t busiest_lock(const struct sca_rank *rank, const struct sca_part_interval *x,
                             double *ns)
{
    uint16_t busiest = 0;
    *ns = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        double held =
            is_held_in(&rank->sample[i], x) ? held_ns(rank, x, rank->sample[i].thread) : 0;
        if (held > *ns) {
            *ns = held;
            busiest = rank->sample[i].thread;
        }
    }
    return busiest;
}

static void share(const struct sca_rank *rank, const struct sca_part_interval *x, uint16_t number,
                  double missing_ns, double all_ns)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        struct sca_part_sample *s = &rank->sample[i];
        if (is_held_in(s, x) && s->thread == number)
            s->length_ns =
                (uint64_t)(missing_ns * (double)s->count * (double)rank->sample_period_ns / all_ns);
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

/* As much as in all of the run, on the mean. */
static void lengthen_windows(const struct sca_rank *rank, const struct sca_part_interval *x,
                             double times)
{
    for (uint32_t w = 0; w < rank->nwindows; w++) {
        struct sca_event *event = rank->windows[w].events;
        for (uint32_t e = 1; e < rank->windows[w].nevents; e++)
            if (event[e - 1].site == x->previous && event[e].site == x->site)
                event[e].gap_ns = (uint64_t)((double)event[e].gap_ns * times);
        if (rank->windows[w].nevents && event->site == x->site && is_usual(rank, x))
            event->gap_ns = (uint64_t)((double)event->gap_ns * times);
    }
}

static bool add_to_rank(struct sca_rank *rank)
{
    bool changed = false;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        struct sca_part_interval *x = &rank->intervals[i];
        double ns, own_ns = (double)x->cpu_ns;
        uint16_t lock = busiest_lock(rank, x, &ns);
        if (!lock || ns <= own_ns || own_ns <= 0)
            continue;
        share(rank, x, lock, ns - own_ns, ns);
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
