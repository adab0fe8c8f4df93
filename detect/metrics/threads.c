#include "metrics/threads.h"

enum { MOST_THREADS = UINT16_MAX + 1 };

void sca_threads_find(struct sca_workspace *space, const struct sca_profile *p,
                      struct sca_threads *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    bool *seen = sca_workspace_alloc(&scratch, MOST_THREADS, sizeof *seen);
    struct sca_opened *opened = sca_workspace_opened(&scratch, p);
    uint32_t n = 1, most = 0;
    seen[0] = true;
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_SAMPLES);
        for (uint32_t i = 0; rank->present && i < rank->nsamples; i++) {
            uint16_t thread = rank->sample[i].thread;
            if (!sca_part_is_sample(&rank->sample[i]))
                continue;
            n += !seen[thread];
            seen[thread] = true;
            most = thread > most ? thread : most;
        }
    }
    uint16_t *numbers = sca_workspace_alloc(space, n, sizeof *numbers);
    *out = (struct sca_threads){0, numbers};
    for (uint32_t thread = 0; thread <= most; thread++)
        if (seen[thread])
            numbers[out->n++] = (uint16_t)thread;
    sca_workspace_free(&scratch);
}

uint32_t sca_threads_row(const struct sca_threads *t, uint16_t number)
{
    uint32_t low = 0, end = t->n;
    while (low + 1 < end) {
        uint32_t middle = (low + end) / 2;
        if (t->numbers[middle] <= number)
            low = middle;
        else
            end = middle;
    }
    return low;
}

struct sca_metric_source sca_threads_source(const struct sca_metric_source *all, uint16_t number)
{
    struct sca_metric_source one = *all;
    one.only_thread = number + 1u;
    return one;
}
