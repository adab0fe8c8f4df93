#include "arena/condense.h"
#include "arena/arena.h"

/* A length is the mean of few samples, whose chance is far more than its last digit. */
enum { DIGITS = 13, LENGTH_DIGITS = 8, EXACT_RANKS = 32 };

static uint64_t shortened(uint64_t ns, unsigned digits)
{
    if (!(ns >> digits))
        return ns;
    unsigned surplus = 64 - digits - (unsigned)__builtin_clzll(ns);
    return ((ns + (1ull << (surplus - 1))) >> surplus) << surplus;
}

static void condense_sites(void)
{
    struct sca_part_site *sites = sca_arena_table(SCA_T_SITES);
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SITES); i++)
        sites[i].time_ns = shortened(sites[i].time_ns, DIGITS);
}

static void condense_intervals(void)
{
    struct sca_part_interval *at = sca_arena_table(SCA_T_INTERVALS);
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_INTERVALS); i++, at++) {
        uint64_t off_core = shortened(at->wall_ns - at->cpu_ns, DIGITS);
        at->wall_ns = shortened(at->wall_ns, DIGITS);
        at->cpu_ns = at->wall_ns > off_core ? at->wall_ns - off_core : 0;
        at->blocked_ns = shortened(at->blocked_ns, DIGITS);
    }
}

/* Records of samples whose next call was not known, and then was. No index goes by them now. */
static void drop_empty_samples(void)
{
    struct sca_part_sample *all = sca_arena_table(SCA_T_SAMPLES);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        if (all[i].count)
            all[kept++] = all[i];
    sca_arena_header()->table[SCA_T_SAMPLES].count = kept;
}

static void condense_samples(void)
{
    struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        samples[i].length_ns = shortened(samples[i].length_ns, LENGTH_DIGITS);
}

/* While totals are exact. */
static void take_mean(struct sca_part_durations *d, uint64_t count, uint64_t total_ns)
{
    double n = (double)count, total = (double)total_ns;
    double about = count ? d->squares - total * total / n : 0;
    d->squares = about > 0 ? about : 0;
}

static void condense_durations(void)
{
    const struct sca_part_site *s = sca_arena_table(SCA_T_SITES);
    const struct sca_part_interval *v = sca_arena_table(SCA_T_INTERVALS);
    struct sca_part_timed *timed = &sca_arena_header()->timed;
    if (timed->about_mean)
        return;
    timed->about_mean = 1;
    for (uint32_t i = 0; i < timed->of[SCA_TIMED_SITES].count; i++)
        take_mean(sca_arena_durations(SCA_TIMED_SITES, i), s[i].count, s[i].time_ns);
    for (uint32_t i = 0; i < timed->of[SCA_TIMED_INTERVALS].count; i++)
        take_mean(sca_arena_durations(SCA_TIMED_INTERVALS, i), v[i].count,
                  v[i].cpu_ns + v[i].blocked_ns);
}

void sca_condense(void)
{
    drop_empty_samples();
    condense_samples();
    condense_durations();
    if (sca_arena_header()->size <= EXACT_RANKS)
        return;
    condense_sites();
    condense_intervals();
}
