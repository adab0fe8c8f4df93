#include "measure/phases.h"
#include "base/degrees.h"
#include "measure/same_code.h"

#include <string.h>

struct phase_search {
    const struct sca_ppg_run *run;
    bool *on;          /* per interval: runs the code at hand */
    uint32_t *phase;   /* likewise */
    double *intervals; /* likewise, seconds of all ranks */
};

static void add_rank(const struct sca_ppg_run *run, uint32_t rank, double *seconds)
{
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n];
    for (uint32_t g = 0; g < run->intervals.n; g++)
        for (uint32_t i = first[g]; i < first[g + 1]; i++)
            seconds[g] += run->shares[i].seconds;
}

/* Gives the intervals that run the same code, and are of no phase yet, that number. */
static void number(struct sca_workspace *space, const struct sca_ppg *ppg, struct phase_search *s,
                   uint32_t interval, uint32_t phase)
{
    memset(s->on, 0, s->run->intervals.n * sizeof *s->on);
    s->on[interval] = true;
    sca_same_code_add(space, ppg, s->run, s->on);
    for (uint32_t g = 0; g < s->run->intervals.n; g++)
        if (s->on[g] && s->phase[g] == SCA_NONE)
            s->phase[g] = phase;
}

static uint32_t number_all(struct sca_workspace *space, const struct sca_ppg *ppg,
                           struct phase_search *s)
{
    uint32_t n = s->run->intervals.n, count = 0;
    double total = 0;
    for (uint32_t g = 0; g < n; g++) {
        s->phase[g] = SCA_NONE;
        total += s->intervals[g];
    }
    for (uint32_t g = 0; g < n; g++)
        if (s->phase[g] == SCA_NONE && s->intervals[g] > 0 &&
            s->intervals[g] >= SCA_RELEVANT * SCA_NEGLIGIBLE * total)
            number(space, ppg, s, g, count++);
    return count;
}

static void add_up(const struct sca_ppg_run *run, const uint32_t *phase, double *seconds)
{
    for (uint32_t r = 0; r < run->nranks; r++) {
        const uint32_t *first = &run->first_share[(size_t)r * run->intervals.n];
        for (uint32_t g = 0; g < run->intervals.n; g++)
            for (uint32_t i = first[g]; i < first[g + 1] && phase[g] != SCA_NONE; i++)
                seconds[(size_t)phase[g] * run->nranks + r] += run->shares[i].seconds;
    }
}

void sca_phases_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                     const struct sca_ppg_run *run, struct sca_phases *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    uint32_t n = run->intervals.n;
    struct phase_search s = {.run = run,
                             .on = sca_workspace_alloc(&scratch, n, sizeof *s.on),
                             .phase = sca_workspace_alloc(space, n, sizeof *s.phase),
                             .intervals = sca_workspace_alloc(&scratch, n, sizeof(double))};
    for (uint32_t r = 0; r < run->nranks; r++)
        add_rank(run, r, s.intervals);
    out->n = number_all(&scratch, ppg, &s);
    double *seconds = sca_workspace_alloc(space, (size_t)out->n * run->nranks, sizeof *seconds);
    add_up(run, s.phase, seconds);
    out->of_interval = s.phase;
    out->seconds = seconds;
    sca_workspace_free(&scratch);
}

const double *sca_phases_row(const struct sca_phases *p, const struct sca_ppg_run *run,
                             uint32_t phase)
{
    return p->seconds + (size_t)phase * run->nranks;
}
