#include "imbalance/code_times.h"
#include "imbalance/code_intervals.h"
#include "measure/same_code.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <string.h>

struct sca_code_times sca_code_times_open(struct sca_workspace *space, uint32_t nranks)
{
    return (struct sca_code_times){.seconds = sca_workspace_alloc(space, nranks, sizeof(double)),
                                   .core = sca_workspace_alloc(space, nranks, sizeof(double))};
}

double sca_code_times_equalised(const struct sca_code_times *t, uint32_t rank, double seconds)
{
    return t->cores_differ && t->core[rank] > 0 ? seconds / t->core[rank] : seconds;
}

/* If ranks differ less without the factors, they are not what makes them differ. */
static void level(struct sca_workspace *scratch, const struct sca_measure *m,
                  struct sca_code_times *t)
{
    uint32_t n = m->nranks;
    double *equalised = sca_workspace_alloc(scratch, n, sizeof *equalised);
    double *working = sca_workspace_alloc(scratch, n, sizeof *working);
    double before = sca_over_ranks_scatter(t->seconds, n, m->absent, working);
    t->cores_differ = true;
    for (uint32_t r = 0; r < n; r++)
        equalised[r] = sca_code_times_equalised(t, r, t->seconds[r]);
    t->cores_differ = sca_over_ranks_scatter(equalised, n, m->absent, working) <= before;
    for (uint32_t r = 0; r < n; r++)
        if (t->cores_differ)
            t->seconds[r] = equalised[r];
        else if (t->core[r] > 0)
            t->core[r] = fmax(1, t->core[r]);
}

void sca_code_times_of_place(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_within *place, const bool *chosen,
                             struct sca_code_times *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    bool *on = sca_workspace_alloc(&scratch, m->run->intervals.n, sizeof *on);
    sca_code_intervals_mark(&scratch, m, place, chosen, on);
    sca_code_intervals_time(m, on, out->seconds);
    out->error = sca_core_speed_tell(&scratch, m, on, place, out->core);
    level(&scratch, m, out);
    sca_workspace_free(&scratch);
}

void sca_code_times_of_bounds(struct sca_workspace *space, const struct sca_measure *m,
                              const struct sca_interval_bounds *bounds, const double *seconds,
                              struct sca_code_times *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    bool *on = sca_interval_bounds_mark(&scratch, m, bounds);
    sca_same_code_add(&scratch, m->ppg, m->run, on);
    memcpy(out->seconds, seconds, m->nranks * sizeof *seconds);
    out->error = sca_core_speed_tell(&scratch, m, on, NULL, out->core);
    level(&scratch, m, out);
    sca_workspace_free(&scratch);
}
