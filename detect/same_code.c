#include "same_code.h"

#define PART_OF 0.05 /* of the time in the marked gaps: a vertex that has as much is their code */
#define HALF_OF 0.5  /* of a gap's time: it runs that code if as much is at such vertices */
enum { MOST_ASKED = 64 }; /* ranks: they do the same, mostly */

static uint32_t stride_of(const struct sca_measure *m)
{
    return (m->nranks + MOST_ASKED - 1) / MOST_ASKED;
}

/* Seconds by vertex of the ranks asked; returns their sum. */
static double add_up(const struct sca_measure *m, uint32_t gap, double *by_vertex)
{
    double sum = 0;
    for (uint32_t r = 0; r < m->nranks; r += stride_of(m)) {
        sca_add_in(m, r, gap, by_vertex);
        sum += sca_seconds_in(m, r, gap);
    }
    return sum;
}

/* Of a gap's time, what is at vertices that have `least` or more in the marked gaps. */
static double common(const struct sca_measure *m, uint32_t gap, const double *marked, double least)
{
    const struct sca_ppg_run *run = m->run;
    double sum = 0;
    for (uint32_t r = 0; r < m->nranks; r += stride_of(m)) {
        const uint32_t *first = &run->first_share[(size_t)r * run->gaps.n + gap];
        for (uint32_t i = first[0]; i < first[1]; i++)
            sum += marked[run->shares[i].vertex] >= least ? run->shares[i].seconds : 0;
    }
    return sum;
}

static double time_in(const struct sca_measure *m, uint32_t gap)
{
    double sum = 0;
    for (uint32_t r = 0; r < m->nranks; r += stride_of(m))
        sum += sca_seconds_in(m, r, gap);
    return sum;
}

void sca_add_same_code(struct sca_room *room, const struct sca_measure *m, bool *on)
{
    uint32_t ngaps = m->run->gaps.n;
    double *marked = sca_room_alloc(room, m->ppg->nvertices, sizeof *marked), all = 0;
    for (uint32_t gap = 0; gap < ngaps; gap++)
        all += on[gap] ? add_up(m, gap, marked) : 0;
    for (uint32_t gap = 0; gap < ngaps; gap++)
        if (!on[gap] && all > 0) {
            double there = time_in(m, gap);
            on[gap] = there > 0 && common(m, gap, marked, PART_OF * all) >= HALF_OF * there;
        }
}
