#include "measure/same_code.h"

#define PART_OF                                                                                    \
    0.25 /* of its share of a gap: a vertex is of the marked gaps' code if it has as much          \
            of their time */
#define HALF_OF 0.5       /* of a gap's time: it runs that code if as much is at such vertices */
enum { MOST_ASKED = 64 }; /* ranks: they do the same, mostly */

struct shares {
    const struct sca_ppg_share *first, *end;
};

static struct shares shares_of(const struct sca_ppg_run *run, uint32_t rank, uint32_t gap)
{
    const uint32_t *first = &run->first_share[(size_t)rank * run->gaps.n + gap];
    return (struct shares){run->shares + first[0], run->shares + first[1]};
}

static uint32_t stride_of(const struct sca_ppg_run *run)
{
    return (run->nranks + MOST_ASKED - 1) / MOST_ASKED;
}

/* Seconds by vertex of the ranks asked; returns their sum. */
static double add_up(const struct sca_ppg_run *run, uint32_t gap, double *by_vertex)
{
    double sum = 0;
    for (uint32_t r = 0; r < run->nranks; r += stride_of(run))
        for (struct shares s = shares_of(run, r, gap); s.first < s.end; s.first++) {
            by_vertex[s.first->vertex] += s.first->seconds;
            sum += s.first->seconds;
        }
    return sum;
}

static void forget(const struct sca_ppg_run *run, uint32_t gap, double *by_vertex)
{
    for (uint32_t r = 0; r < run->nranks; r += stride_of(run))
        for (struct shares s = shares_of(run, r, gap); s.first < s.end; s.first++)
            by_vertex[s.first->vertex] = 0;
}

/* Of the `time` in a gap, what is at vertices of the marked gaps' code. */
static double common(const struct sca_ppg_run *run, uint32_t gap, const double *marked, double all,
                     const double *here, double time)
{
    double sum = 0;
    for (uint32_t r = 0; r < run->nranks; r += stride_of(run))
        for (struct shares s = shares_of(run, r, gap); s.first < s.end; s.first++) {
            uint32_t v = s.first->vertex;
            sum += marked[v] * time >= PART_OF * here[v] * all ? s.first->seconds : 0;
        }
    return sum;
}

void sca_add_same_code(struct sca_room *room, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, bool *on)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    double *marked = sca_room_alloc(&scratch, ppg->nvertices, sizeof *marked), all = 0;
    double *here = sca_room_alloc(&scratch, ppg->nvertices, sizeof *here);
    for (uint32_t gap = 0; gap < run->gaps.n; gap++)
        all += on[gap] ? add_up(run, gap, marked) : 0;
    for (uint32_t gap = 0; gap < run->gaps.n; gap++)
        if (!on[gap] && all > 0) {
            double time = add_up(run, gap, here);
            on[gap] = time > 0 && common(run, gap, marked, all, here, time) >= HALF_OF * time;
            forget(run, gap, here);
        }
    sca_room_free(&scratch);
}
