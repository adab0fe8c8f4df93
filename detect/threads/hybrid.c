#include "threads/hybrid.h"
#include "stats/over_ranks.h"
#include "threads/regions.h"

#include <math.h>

/* Thread-seconds. */
struct thread_time {
    double there;    /* of all threads, outside MPI */
    double used;     /* in regions, of their teams, but for waits for tasks that others depend on;
                        and of one thread outside them */
    double balanced; /* of that, but for waits for the busiest thread, */
    double computed; /* and for locks */
};

static struct thread_time add_up(const struct sca_regions *regions, double all)
{
    struct thread_time t = {.there = regions->threads * all};
    double inside = 0;
    for (uint32_t i = 0; i < regions->n; i++) {
        const struct sca_region_cell *cell = &regions->cells[i];
        double seconds = cell->seconds[SCA_REGION_ALL];
        if (cell->inner)
            continue;
        double even = seconds - cell->seconds[SCA_REGION_UNEVEN];
        inside += seconds;
        t.used += cell->threads * seconds;
        t.balanced += cell->threads * even;
        t.computed += cell->threads * fmax(0, even - cell->seconds[SCA_REGION_CONTENDED]);
    }
    for (uint32_t i = 0; i < regions->nchains; i++) {
        double idle = regions->chains[i].threads * regions->chains[i].seconds;
        t.used -= regions->chains[i].alone ? 0 : idle;
        t.balanced -= idle;
        t.computed -= idle;
    }
    double serial = fmax(0, all - inside);
    t.used += serial;
    t.balanced += serial;
    t.computed += serial;
    return t;
}

struct sca_hybrid sca_hybrid_of(struct sca_workspace *scratch, const struct sca_measure *m)
{
    struct sca_regions regions;
    sca_regions_read(scratch, m->ppg, m->run, &regions);
    const struct sca_hybrid none = {0, NAN, NAN, NAN, NAN};
    if (!regions.threads)
        return none;
    struct thread_time t = add_up(&regions, sca_over_ranks_sum(m->rank_total, m->nranks));
    if (t.there <= 0 || t.balanced <= 0)
        return none;
    t.there = fmax(t.there, t.used); /* samples may say a little more of regions than clocks */
    return (struct sca_hybrid){regions.threads, t.computed / t.there, t.used / t.there,
                               t.balanced / t.used, t.computed / t.balanced};
}
