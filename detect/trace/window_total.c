#include "trace/window_total.h"
#include "trace/trace_synthesis.h"

#include <string.h>

struct totalling { /* seconds before each call: [rank * nsites + site] */
    uint32_t nsites;
    double *alone;  /* in windows that stand for themselves: nothing is to be estimated there */
    double *others; /* in the others, times their weights */
};

static void add_trace(struct totalling *t, const struct sca_trace *trace)
{
    double *to = sca_trace_stands_alone(trace) ? t->alone : t->others;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t i = 0; i < trace->sequences[r].nevents; i++)
            to[(size_t)r * t->nsites + trace->sequences[r].sites[i + 1]] +=
                trace->sequences[r].interval[i] * trace->weight;
}

static void add_all(struct totalling *t, struct sca_team *team, const struct sca_trace *traces,
                    uint32_t count, size_t cells)
{
    for (uint32_t i = 0; i < count; i++)
        add_trace(t, &traces[i]);
    if (!team)
        return;
    sca_team_sum_sparse(team, t->alone, cells);
    sca_team_sum_sparse(team, t->others, cells);
}

/* What the rank computes before each call, less what no window shows. `item`: the rank's first of
 * that; becomes the next rank's. */
static void add_exact(const struct sca_rank *of, const struct sca_window_rest *rest, uint32_t rank,
                      uint32_t *item, double *exact)
{
    for (uint32_t i = 0; i < of->nintervals; i++)
        exact[of->intervals[i].site] += sca_trace_synthesis_seconds(&of->intervals[i]);
    for (; *item < rest->nitems && rest->items[*item].rank == rank; ++*item)
        exact[rest->items[*item].site] -= rest->items[*item].seconds;
}

/* Seconds before each call of the rank become what they are to be multiplied by: to as many digits
 * as sums agree in, however many processes make them. */
static void compare(const struct totalling *t, const struct sca_detours *detours, uint32_t rank,
                    double *seconds)
{
    for (uint32_t site = 0; site < t->nsites; site++) {
        size_t cell = (size_t)rank * t->nsites + site;
        double left = seconds[site] - t->alone[cell];
        bool known = !detours->left_out[site] && left > 0 && t->others[cell] > 0;
        seconds[site] = known ? (double)(float)(left / t->others[cell]) : 1;
    }
}

static void multiply(struct sca_event_sequence *sequence, const double *factor)
{
    for (uint32_t i = 0; i < sequence->nevents; i++)
        sequence->interval[i] *= factor[sequence->sites[i + 1]];
}

void sca_window_total_fit(struct sca_detours *detours, const struct sca_window_rest *rest,
                          struct sca_team *team, struct sca_trace *traces, uint32_t count)
{
    struct sca_workspace scratch = {.out_of_memory = detours->space->out_of_memory};
    uint32_t nranks = detours->profile->nranks, nsites = detours->profile->nsites, item = 0;
    size_t cells = (size_t)nranks * nsites;
    struct totalling t = {nsites, sca_workspace_alloc(&scratch, cells, sizeof(double)),
                          sca_workspace_alloc(&scratch, cells, sizeof(double))};
    double *factor = sca_workspace_alloc(&scratch, nsites, sizeof *factor);
    add_all(&t, team, traces, count, cells);
    for (uint32_t r = 0; r < nranks; r++) {
        memset(factor, 0, nsites * sizeof *factor);
        add_exact(sca_local_calls_of_rank(detours, r), rest, r, &item, factor);
        compare(&t, detours, r, factor);
        for (uint32_t i = 0; i < count; i++)
            if (!sca_trace_stands_alone(&traces[i]))
                multiply(&traces[i].sequences[r], factor);
    }
    sca_workspace_free(&scratch);
}
