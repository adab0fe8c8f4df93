#include "sampling/sample_next.h"
#include "arena/arena.h"
#include "sampling/counts.h"

static struct sca_part_sample *samples(void)
{
    return sca_arena_table(SCA_T_SAMPLES);
}

void sca_sample_next_await(struct sca_thread *caller, uint32_t record, unsigned periods)
{
    struct sca_ahead *end = caller->ahead + caller->nahead, *at = caller->ahead;
    while (at < end && at->record != record)
        at++;
    if (at == caller->ahead + SCA_MOST_AHEAD)
        return;
    if (at == end) {
        *at = (struct sca_ahead){.record = record};
        caller->nahead++;
    }
    at->periods += periods;
}

static double part_of(uint64_t periods, uint64_t count)
{
    return periods < count ? (double)periods / (double)count : 1;
}

/* Events are counted by record, not by sample: each has its part of them. */
static void move(struct sca_part_sample *from, struct sca_part_sample *to, uint64_t periods)
{
    if (periods > from->count) /* cannot be; but counts never go below 0 */
        periods = from->count;
    for (int i = 0; i < SCA_MAX_METRICS && periods; i++) {
        double part = part_of(periods, from->count);
        uint64_t events = (uint64_t)((double)from->metric[i] * part);
        to->metric[i] += events;
        from->metric[i] -= events;
    }
    to->count += periods;
    from->count -= periods;
}

/* All that waits for its next call. */
static void move_blocked(struct sca_part_sample *from, struct sca_part_sample *to)
{
    to->count += from->count;
    to->length_ns += from->length_ns;
    from->count = from->length_ns = 0;
}

static void arrive(struct sca_ahead ahead, uint32_t site, uint64_t own_ns)
{
    const struct sca_part_sample *from = &samples()[ahead.record];
    const uint32_t key[SCA_SAMPLE_KEY] = {from->node, from->previous,
                                          sca_sample_next_of(from->in_mpi, from->thread), site};
    uint32_t to = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (to == SCA_NONE)
        return;
    if (from->in_mpi == SCA_SAMPLE_BLOCKED || from->in_mpi > SCA_SAMPLE_AWAITS) {
        move_blocked(&samples()[ahead.record], &samples()[to]);
        return;
    }
    if (from->count)
        sca_counts_move(ahead.record, to, part_of(ahead.periods, from->count));
    move(&samples()[ahead.record], &samples()[to], ahead.periods);
    samples()[to].length_ns += ahead.periods * own_ns;
}

void sca_sample_next_arrive(struct sca_thread *caller, uint32_t previous, uint32_t site,
                            uint64_t own_ns)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < caller->nahead; i++) {
        struct sca_ahead ahead = caller->ahead[i];
        if (samples()[ahead.record].previous == previous)
            arrive(ahead, site, own_ns);
        else if (samples()[ahead.record].previous == site) /* of other threads, meanwhile */
            caller->ahead[kept++] = ahead;
    }
    caller->nahead = (uint8_t)kept;
}

void sca_sample_next_book(uint32_t site, enum sca_part_sample_kind kind, uint32_t thread,
                          uint64_t ns)
{
    const struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    const uint32_t key[SCA_SAMPLE_KEY] = {at->node, sca_thread.previous,
                                          sca_sample_next_of(kind, thread), 0};
    uint32_t record = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (record == SCA_NONE)
        return;
    samples()[record].count++;
    samples()[record].length_ns += ns;
    sca_sample_next_await(&sca_thread, record, 1);
}
