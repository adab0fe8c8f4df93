#include "load/serialised.h"
#include "load/held_time.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

bool sca_serialised_is_lock(const struct sca_site *site)
{
    static const char *const names[] = {
        "pthread_mutex_lock",    "OpenMP critical",   "OpenMP lock", "pthread_rwlock_wrlock",
        "pthread_rwlock_rdlock", "pthread_spin_lock", "mtx_lock",    "OpenMP ordered",
        "OpenMP doacross",       "semaphore lock"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(site->function, names[i]))
            return true;
    return false;
}

bool sca_serialised_may_be(const struct sca_profile *profile)
{
    for (uint32_t s = 1; s < profile->nsites; s++)
        if (sca_serialised_is_lock(&profile->sites[s]))
            return true;
    return false;
}

/* To the records of the scope, and to those of its interval. */
static void share_in(const struct sca_held_records *records, const struct sca_held_scope *scope,
                     uint16_t number, double missing_ns)
{
    struct sca_held_range of = sca_held_records_of_locks(records, scope);
    double periods = 0;
    for (const struct sca_held_record *x = of.first; x < of.end; x++)
        periods += x->thread == number ? (double)sca_held_record_sample(records, x)->count : 0;
    for (const struct sca_held_record *x = of.first; x < of.end; x++) {
        struct sca_part_sample *s = sca_held_record_sample(records, x);
        if (x->thread == number)
            s->length_ns += (uint64_t)(missing_ns * (double)s->count / periods);
    }
}

static void share(const struct sca_held_records *records, const struct sca_held_scope *scope,
                  uint16_t number, double missing_ns)
{
    struct sca_held_scope interval = *scope;
    interval.region = 0;
    share_in(records, &interval, number, missing_ns);
    if (scope->region)
        share_in(records, scope, number, missing_ns);
}

/* What the scope took, as the clocks say. */
static double own_ns_of(const struct sca_held_records *records, const struct sca_held_scope *scope)
{
    double ns = 0;
    if (!scope->region)
        return (double)records->rank->intervals[scope->interval].cpu_ns;
    struct sca_held_range of = sca_held_records_of_region(records, scope);
    for (; of.first < of.end; of.first++)
        ns += (double)sca_held_record_sample(records, of.first)->length_ns;
    return ns;
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

static bool add_to_scope(const struct sca_held_records *records, const struct sca_held_times *all,
                         const struct sca_held_scope *scope)
{
    const struct sca_rank *rank = records->rank;
    struct sca_part_interval *x = &rank->intervals[scope->interval];
    struct sca_held_time held = sca_held_time_of(records, scope);
    double own_ns = own_ns_of(records, scope);
    double missing_ns = sca_held_times_usual(all, scope, x->count, &held) - own_ns;
    if (!held.lock || missing_ns <= 0 || own_ns <= 0 || !x->cpu_ns)
        return false;
    share(records, scope, held.lock, missing_ns);
    lengthen_windows(rank, x, 1 + missing_ns / (double)x->cpu_ns);
    lengthen(x, missing_ns);
    return true;
}

static int add_to_rank(const struct sca_rank *rank, const struct sca_held_times *all, bool *changed)
{
    struct sca_held_records records;
    struct sca_held_scope scope;
    int status = sca_held_records_open(&records, rank);
    for (uint32_t at = 0; !status && sca_held_records_next(&records, &at, &scope);)
        *changed |= add_to_scope(&records, all, &scope);
    sca_held_records_close(&records);
    return status;
}

static int add_to_all(struct sca_profile *profile, struct sca_opened *opened,
                      const struct sca_held_times *all)
{
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < profile->nranks; r++) {
        struct sca_rank rank = sca_rank_open_to_change(opened, r);
        bool changed = false;
        if (rank.present)
            status = add_to_rank(&rank, all, &changed);
        if (!status && changed)
            status = sca_rank_open_keep(profile, r, &rank);
    }
    return status;
}

/* Most programs have none: then nothing is opened. */
int sca_serialised_add(struct sca_profile *profile, struct sca_opened *opened)
{
    struct sca_held_times all = {0};
    if (!sca_serialised_may_be(profile))
        return SCA_OK;
    int status = sca_held_times_read(&all, profile, opened);
    if (!status)
        status = add_to_all(profile, opened, &all);
    free(all.of);
    return status;
}
