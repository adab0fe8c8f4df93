#include "load/open_end.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <stdlib.h>

struct open_end {
    struct sca_profile *profile;
    uint64_t *open_ns; /* [rank] computed beyond what was booked; 0: nothing that is far longer */
};

/* Its process did not end by itself, and is there no more. */
static bool broke_off(const struct sca_rank *rank)
{
    const struct sca_moment *m = rank->moment;
    return rank->present && !rank->complete && m && m->state == SCA_RUNNING &&
           m->alive != SCA_ALIVE && m->nactivities;
}

bool sca_open_end_may_be(const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks && !profile->complete && !profile->nworlds; r++)
        if (broke_off(&profile->ranks[r]))
            return true;
    return false;
}

/* The last sign of life of any rank that has the same clock. */
static uint64_t end_of(const struct sca_profile *profile, const struct sca_rank *rank)
{
    uint64_t last = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_rank *other = &profile->ranks[r];
        if (broke_off(other) && other->clock == rank->clock && other->moment->last_ns > last)
            last = other->moment->last_ns;
    }
    return last;
}

/* Of the first thread, behind the call that it left last. */
static bool is_open(const struct sca_rank *rank, const struct sca_part_sample *s)
{
    return s->in_mpi == SCA_SAMPLE_COMPUTES && !s->thread && !s->next &&
           s->previous == rank->moment->activities[0].site;
}

/* Samples divide what was computed; without any, all of it was. */
static uint64_t computed(const struct sca_rank *rank, uint64_t end_ns)
{
    const struct sca_activity *a = &rank->moment->activities[0];
    uint64_t wall = end_ns > a->since_ns ? end_ns - a->since_ns : 0, sampled = 0;
    if (a->inside || a->site == SCA_NONE)
        return 0;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (is_open(rank, &rank->sample[i]))
            sampled += rank->sample[i].count * rank->sample_period_ns;
    return rank->samples && sampled < wall ? sampled : wall;
}

static uint64_t own_of(const struct sca_part_interval *interval)
{
    return interval->cpu_ns + interval->blocked_ns;
}

/* What it most often led to; NULL: it never led anywhere. */
static struct sca_part_interval *usual(const struct sca_rank *rank)
{
    struct sca_part_interval *found = NULL;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].previous == rank->moment->activities[0].site &&
            (!found || rank->intervals[i].count > found->count))
            found = &rank->intervals[i];
    return found;
}

/* Where it never led anywhere, most of what the rank lived. */
static bool is_far_longer(const struct sca_rank *rank, uint64_t open_ns, uint64_t end_ns)
{
    const struct sca_part_interval *interval = usual(rank);
    double usual_ns = interval && interval->count
                          ? (double)own_of(interval) / (double)interval->count
                          : SCA_QUARTER * (double)(end_ns - rank->init_ns);
    return (double)open_ns > SCA_TWICE * usual_ns;
}

/* False: there is no interval that it can belong to. */
static bool add_computed(struct sca_rank *rank, uint64_t open_ns)
{
    struct sca_part_interval *interval = usual(rank);
    if (!interval)
        return false;
    interval->cpu_ns += open_ns;
    interval->wall_ns += open_ns;
    if (interval->max_ns && interval->max_ns < open_ns)
        interval->max_ns = open_ns;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (is_open(rank, &rank->sample[i])) {
            rank->sample[i].next = interval->site;
            rank->sample[i].length_ns = rank->sample[i].count * open_ns;
        }
    return true;
}

static void add_waited(struct sca_rank *rank, uint64_t end_ns)
{
    const struct sca_activity *a = &rank->moment->activities[0];
    uint64_t waited = a->inside && end_ns > a->since_ns ? end_ns - a->since_ns : 0;
    rank->mpi_ns += waited;
    for (uint32_t i = 0; i < rank->nsites && waited; i++)
        if (rank->sites[i].site == a->site)
            rank->sites[i].time_ns += waited;
}

static int add_to_rank(struct open_end *o, struct sca_opened *opened, uint32_t r)
{
    struct sca_rank *rank = &o->profile->ranks[r];
    uint64_t end_ns = end_of(o->profile, rank);
    if (!broke_off(rank))
        return SCA_OK;
    struct sca_rank changed = sca_rank_open_to_change(opened, r);
    if (o->open_ns[r]) {
        rank->moment->open_counts = add_computed(&changed, o->open_ns[r]);
        rank->moment->open_ns = end_ns - rank->moment->activities[0].since_ns;
    }
    add_waited(&changed, end_ns);
    rank->moment->open_booked = true;
    int status = sca_rank_open_keep(o->profile, r, &changed);
    rank->mpi_ns = changed.mpi_ns;
    rank->cpu_ns += o->open_ns[r];
    if (end_ns > rank->init_ns)
        rank->wall_ns = end_ns - rank->init_ns;
    return status;
}

int sca_open_end_add(struct sca_profile *profile, struct sca_opened *opened)
{
    bool some = false;
    struct open_end o = {.profile = profile};
    if (!sca_open_end_may_be(profile))
        return SCA_OK;
    o.open_ns = calloc(profile->nranks + 1ul, sizeof *o.open_ns);
    if (!o.open_ns)
        return sca_fail(SCA_ENOMEM, "%s: out of memory", profile->directory);
    for (uint32_t r = 0; r < profile->nranks; r++) {
        if (!broke_off(&profile->ranks[r]))
            continue;
        const struct sca_rank *rank =
            sca_rank_open(opened, r, SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES);
        uint64_t end_ns = end_of(profile, rank), ns = computed(rank, end_ns);
        o.open_ns[r] = is_far_longer(rank, ns, end_ns) ? ns : 0;
        some |= o.open_ns[r] > 0;
    }
    int status = SCA_OK;
    for (uint32_t r = 0; !status && some && r < profile->nranks; r++)
        status = add_to_rank(&o, opened, r);
    free(o.open_ns);
    return status;
}
