#include "sampled_run.h"
#include "load/run_metrics.h"
#include "check_main.h"

#include <stdlib.h>

void sampled_run_add(struct sampled_run *s, uint32_t rank, uint32_t previous, uint32_t site,
                     uint32_t node, uint64_t count)
{
    ck_assert(rank < SAMPLED_RANKS && s->nsamples[rank] < SAMPLED_MOST);
    s->samples[rank][s->nsamples[rank]++] =
        (struct sca_part_sample){.node = node, .previous = previous, .next = site, .count = count};
}

void sampled_run_blocked(struct sampled_run *s, uint32_t rank, uint32_t previous, uint32_t site,
                         double seconds)
{
    sampled_run_add(s, rank, previous, site, 0, 1);
    struct sca_part_sample *sample = &s->samples[rank][s->nsamples[rank] - 1];
    sample->in_mpi = SCA_SAMPLE_BLOCKED;
    sample->length_ns = (uint64_t)(seconds * 1e9);
}

void sampled_run_divide(struct sampled_run *s, uint32_t *node_vertex)
{
    const struct sca_ppg *ppg = model_ppg(s->model);
    struct sca_profile *profile = (struct sca_profile *)ppg->runs[s->run].profile;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        profile->ranks[r].sample = s->samples[r];
        profile->ranks[r].nsamples = s->nsamples[r];
        profile->ranks[r].sample_period_ns = 10000000;
        profile->ranks[r].sample_worth = 1;
    }
    s->divided = (struct sca_ppg_run){.profile = profile,
                                      .nranks = profile->nranks,
                                      .site_vertex = ppg->runs[s->run].site_vertex,
                                      .node_vertex = node_vertex};
    s->arena = (struct sca_arena){0};
    ck_assert_int_eq(sca_run_metrics_build(&s->arena, ppg, &s->divided), 0);
}

double sampled_run_seconds(const struct sampled_run *s, uint32_t rank, uint32_t previous,
                           uint32_t site, uint32_t vertex)
{
    const struct sca_ppg_run *run = &s->divided;
    uint32_t interval = sca_intervals_number(&run->intervals, previous, site);
    const uint32_t *at = &run->first_share[rank * run->intervals.n + interval];
    double seconds = 0;
    for (uint32_t i = at[0]; i < at[1]; i++)
        seconds += run->shares[i].vertex == vertex ? run->shares[i].seconds : 0;
    return seconds;
}

void sampled_run_end(struct sampled_run *s)
{
    sca_intervals_free(&s->divided.intervals);
    free(s->divided.shares);
    sca_arena_free(&s->arena);
    model_free(s->model);
}
