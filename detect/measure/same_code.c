#include "measure/same_code.h"

#include "base/degrees.h"

enum { MOST_ASKED = 64 }; /* ranks: they do the same, mostly */

struct code_shares {
    const struct sca_ppg_share *first, *end;
};

static struct code_shares shares_of(const struct sca_ppg_run *run, uint32_t rank, uint32_t interval)
{
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n + interval];
    return (struct code_shares){run->shares + first[0], run->shares + first[1]};
}

static uint32_t stride_of(const struct sca_ppg_run *run)
{
    return (run->nranks + MOST_ASKED - 1) / MOST_ASKED;
}

/* Seconds by vertex of the ranks asked; returns their sum. */
static double add_up(const struct sca_ppg_run *run, uint32_t interval, double *by_vertex)
{
    double sum = 0;
    for (uint32_t r = 0; r < run->nranks; r += stride_of(run))
        for (struct code_shares s = shares_of(run, r, interval); s.first < s.end; s.first++) {
            by_vertex[s.first->vertex] += s.first->seconds;
            sum += s.first->seconds;
        }
    return sum;
}

static void forget(const struct sca_ppg_run *run, uint32_t interval, double *by_vertex)
{
    for (uint32_t r = 0; r < run->nranks; r += stride_of(run))
        for (struct code_shares s = shares_of(run, r, interval); s.first < s.end; s.first++)
            by_vertex[s.first->vertex] = 0;
}

/* Of the `time` in an interval, what is at vertices of the marked intervals' code. */
static double common(const struct sca_ppg_run *run, uint32_t interval, const double *marked,
                     double all, const double *here, double time)
{
    double sum = 0;
    for (uint32_t r = 0; r < run->nranks; r += stride_of(run))
        for (struct code_shares s = shares_of(run, r, interval); s.first < s.end; s.first++) {
            uint32_t v = s.first->vertex;
            /* a vertex is of the marked code with a good part of its share there */
            sum += marked[v] * time >= SCA_QUARTER * here[v] * all ? s.first->seconds : 0;
        }
    return sum;
}

void sca_same_code_add(struct sca_workspace *space, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, bool *on)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *marked = sca_workspace_alloc(&scratch, ppg->nvertices, sizeof *marked), all = 0;
    double *here = sca_workspace_alloc(&scratch, ppg->nvertices, sizeof *here);
    for (uint32_t interval = 0; interval < run->intervals.n; interval++)
        all += on[interval] ? add_up(run, interval, marked) : 0;
    for (uint32_t interval = 0; interval < run->intervals.n; interval++)
        if (!on[interval] && all > 0) {
            double time = add_up(run, interval, here);
            on[interval] =
                time > 0 && common(run, interval, marked, all, here, time) >= SCA_HALF * time;
            forget(run, interval, here);
        }
    sca_workspace_free(&scratch);
}
