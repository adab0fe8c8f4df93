#include "sampling/counts.h"
#include "arena/arena.h"

struct counts {
    uint64_t last[SCA_MAX_METRICS]; /* at the last reading, or the highest before */
    uint32_t record;                /* of the last sample, if any */
    bool sampled, open;
};
static _Thread_local struct counts mine __attribute__((tls_model("initial-exec")));

static void add(uint32_t record, const uint64_t counters[SCA_MAX_METRICS])
{
    struct sca_part_sample *sample = (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES);
    sample += record;
    for (int i = 0; i < SCA_MAX_METRICS; i++) {
        if (counters[i] <= mine.last[i])
            continue;
        sample->metric[i] += counters[i] - mine.last[i];
        mine.last[i] = counters[i];
    }
}

void sca_counts_restart(void)
{
    mine = (struct counts){0};
}

void sca_counts_take(uint32_t record, bool computes, const uint64_t counters[SCA_MAX_METRICS])
{
    add(record, counters);
    mine.record = record;
    mine.open = computes;
    mine.sampled = true;
}

void sca_counts_rest(const uint64_t counters[SCA_MAX_METRICS])
{
    if (mine.open)
        add(mine.record, counters);
    mine.open = false;
}

void sca_counts_end(const uint64_t counters[SCA_MAX_METRICS])
{
    if (mine.sampled)
        add(mine.record, counters);
    mine.open = mine.sampled = false;
}

bool sca_counts_are_open(void)
{
    return mine.open;
}
