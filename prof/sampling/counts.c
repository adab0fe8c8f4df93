#include "sampling/counts.h"
#include "arena/arena.h"
#include "base/hash.h"

#include <stdbool.h>
#include <string.h>

enum {
    MOST_RECORDS = 16384, /* of further ones all counts as certain */
    KINDS = 8192,
    TRIES = 64
};

struct counts {
    uint64_t last[SCA_MAX_METRICS]; /* at the last reading, or the highest before */
    uint64_t last_ns;
    uint32_t record;      /* of the last sample, if any */
    bool sampled, inside; /* inside: the place of the last sample has not ended */
};
static _Thread_local struct counts mine __attribute__((tls_model("initial-exec")));

struct of_record {
    uint64_t certain_ns, unsure[SCA_MAX_METRICS]; /* unsure: of what the record has */
};
static struct of_record of_record[MOST_RECORDS]; /* pages that nobody touches take no memory */

static struct sca_part_sample *samples(void)
{
    return sca_arena_table(SCA_T_SAMPLES);
}

static void add(uint32_t record, const uint64_t *counters, bool certain)
{
    struct sca_part_sample *sample = &samples()[record];
    for (int i = 0; i < SCA_MAX_METRICS; i++) {
        if (counters[i] <= mine.last[i])
            continue;
        uint64_t events = counters[i] - mine.last[i];
        sample->metric[i] += events;
        if (!certain && record < MOST_RECORDS)
            of_record[record].unsure[i] += events;
        mine.last[i] = counters[i];
    }
}

static void pass(uint32_t record, uint64_t cpu_ns, bool certain)
{
    if (certain && record < MOST_RECORDS && cpu_ns > mine.last_ns)
        of_record[record].certain_ns += cpu_ns - mine.last_ns;
    mine.last_ns = cpu_ns;
}

void sca_counts_restart(void)
{
    mine = (struct counts){0};
}

void sca_counts_take(uint32_t record, const uint64_t counters[SCA_MAX_METRICS], uint64_t cpu_ns)
{
    add(record, counters, mine.inside);
    pass(record, cpu_ns, mine.inside);
    mine.record = record;
    mine.sampled = mine.inside = true;
}

void sca_counts_rest(const uint64_t *counters, uint64_t cpu_ns)
{
    if (mine.inside && counters) {
        add(mine.record, counters, true);
        pass(mine.record, cpu_ns, true);
    }
    mine.inside = false;
}

void sca_counts_end(const uint64_t counters[SCA_MAX_METRICS])
{
    if (mine.sampled)
        add(mine.record, counters, false);
    mine.sampled = mine.inside = false;
}

static uint64_t take_part(uint64_t *from, double part)
{
    uint64_t moved = (uint64_t)((double)*from * part);
    *from -= moved;
    return moved;
}

void sca_counts_move(uint32_t from, uint32_t to, double part)
{
    if (from >= MOST_RECORDS || to >= MOST_RECORDS)
        return;
    of_record[to].certain_ns += take_part(&of_record[from].certain_ns, part);
    for (int i = 0; i < SCA_MAX_METRICS; i++)
        of_record[to].unsure[i] += take_part(&of_record[from].unsure[i], part);
}

/* ---- sharing out ---- */

/* All that was sampled between the same two calls, or in the same call: one sample alone may be
 * followed by a few nanoseconds that are certain, and a rate by these is none. */
struct kind {
    uint32_t previous, next, flags; /* flags: in MPI or not, and the thread */
    bool used;
    uint64_t periods;  /* that its samples stand for */
    uint64_t exact_ns; /* CPU time of all its instances; 0: not known */
    uint64_t certain_ns, certain[SCA_MAX_METRICS];
};
static struct kind kinds[KINDS];

static bool is_of(const struct kind *k, uint32_t previous, uint32_t next, uint32_t flags)
{
    return k->previous == previous && k->next == next && k->flags == flags;
}

/* Its slot, or the free one that it may have; NULL: there are more of them than room. */
static struct kind *slot_of(uint32_t previous, uint32_t next, uint32_t flags)
{
    uint64_t at = sca_hash_mix(sca_hash_mix(previous, next), flags) % KINDS;
    for (uint32_t tries = 0; tries < TRIES; tries++, at = (at + 1) % KINDS)
        if (!kinds[at].used || is_of(&kinds[at], previous, next, flags))
            return &kinds[at];
    return NULL;
}

static struct kind *kind_of(const struct sca_part_sample *s)
{
    return slot_of(s->previous, s->next, s->in_mpi | (uint32_t)s->thread << 16);
}

static void add_to_kind(uint32_t record)
{
    const struct sca_part_sample *s = &samples()[record];
    struct kind *k = kind_of(s);
    if (!k)
        return;
    if (!k->used)
        *k = (struct kind){.previous = s->previous,
                           .next = s->next,
                           .flags = s->in_mpi | (uint32_t)s->thread << 16,
                           .used = true};
    k->periods += s->count;
    k->certain_ns += of_record[record].certain_ns;
    for (int i = 0; i < SCA_MAX_METRICS; i++)
        k->certain[i] += s->metric[i] - of_record[record].unsure[i];
}

/* Samples tell how long it was, intervals do exactly. */
static void add_intervals(void)
{
    const struct sca_part_interval *all = sca_arena_table(SCA_T_INTERVALS);
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_INTERVALS); i++) {
        struct kind *k = slot_of(all[i].previous, all[i].site, 0);
        if (k && k->used)
            k->exact_ns += all[i].cpu_ns;
    }
}

static double all_ns(const struct sca_part_sample *s, const struct kind *k, uint64_t period_ns)
{
    if (k->exact_ns && k->periods)
        return (double)k->exact_ns * (double)s->count / (double)k->periods;
    return (double)s->count * (double)period_ns;
}

/* What a record likely has beyond what is certain. */
static double likely(uint32_t record, int metric, uint64_t period_ns)
{
    const struct sca_part_sample *s = &samples()[record];
    const struct kind *k = kind_of(s);
    if (!k || !k->certain_ns)
        return 0;
    double left_ns = all_ns(s, k, period_ns) - (double)of_record[record].certain_ns;
    return left_ns > 0 ? (double)k->certain[metric] / (double)k->certain_ns * left_ns : 0;
}

/* Of one thread and one counter: sums stay what they are, to the event. */
static void share_out(uint32_t thread, int metric, uint32_t n, uint64_t period_ns)
{
    struct sca_part_sample *all = samples();
    double sum = 0, passed = 0;
    uint64_t unsure = 0, given = 0;
    for (uint32_t i = 0; i < n; i++)
        if (all[i].thread == thread) {
            sum += likely(i, metric, period_ns);
            unsure += of_record[i].unsure[metric];
        }
    for (uint32_t i = 0; i < n && sum > 0; i++) {
        if (all[i].thread != thread)
            continue;
        passed += likely(i, metric, period_ns);
        uint64_t until = passed < sum ? (uint64_t)((double)unsure * (passed / sum)) : unsure;
        all[i].metric[metric] += until - given - of_record[i].unsure[metric];
        given = until;
    }
}

void sca_counts_share_out(uint64_t period_ns)
{
    uint32_t n = sca_arena_count(SCA_T_SAMPLES), threads = 0;
    n = n < MOST_RECORDS ? n : MOST_RECORDS;
    for (uint32_t i = 0; i < n; i++) {
        threads = samples()[i].thread >= threads ? samples()[i].thread + 1u : threads;
        add_to_kind(i);
    }
    add_intervals();
    for (uint32_t t = 0; t < threads; t++)
        for (int metric = 0; metric < SCA_MAX_METRICS; metric++)
            share_out(t, metric, n, period_ns);
    memset(of_record, 0, n * sizeof *of_record);
    memset(kinds, 0, sizeof kinds);
}
