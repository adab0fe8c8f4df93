#include "load/team_size.h"
#include "base/degrees.h"

#include <stdlib.h>

enum { RANKS = 64, MOST = UINT16_MAX + 1 };

/* Threads with a tenth or more of what the busiest has. `counts` is zero before and after. */
static uint32_t count_threads(const struct sca_rank *rank, uint64_t *counts)
{
    uint64_t most = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (sca_part_is_sample(&rank->sample[i])) {
            uint64_t *count = &counts[rank->sample[i].thread];
            *count += rank->sample[i].count;
            most = *count > most ? *count : most;
        }
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        uint64_t *count = &counts[rank->sample[i].thread];
        n += *count && (double)*count >= SCA_RELEVANT * (double)most;
        *count = 0;
    }
    return n;
}

static uint32_t by_samples(const struct sca_profile *profile)
{
    void *memory = calloc(1, sca_rank_open_size(profile));
    uint64_t *counts = calloc(MOST, sizeof *counts);
    struct sca_opened *opened = memory ? sca_rank_open_init(memory, profile) : NULL;
    uint32_t most = 1;
    for (uint32_t r = 0; opened && counts && r < profile->nranks && r < RANKS; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_SAMPLES);
        uint32_t n = rank->present ? count_threads(rank, counts) : 0;
        most = n > most ? n : most;
    }
    free(counts);
    free(memory);
    return most;
}

uint32_t sca_team_size(const struct sca_profile *profile)
{
    long told = strtol(sca_profile_meta(profile, "threads", "0"), NULL, 10);
    return told > 0 && told < MOST ? (uint32_t)told : by_samples(profile);
}
