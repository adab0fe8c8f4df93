#include "trace/instances.h"
#include "base/degrees.h"
#include "stats/median.h"
#include "trace/instance_rows.h"

/* The median of few. Of two halves, one with more to do, that is the slowest of the other half: of
 * more ranks it is one further down, which a slow instance of a single rank leaves where it is. */
static double middle(double *intervals, uint32_t n)
{
    /* one slow rank of a half must not move it */
    return n < 2 * SCA_SEVERAL ? sca_median(intervals, n)
                               : sca_median_select(intervals, n, (n - 1) * 2 / 5);
}

/* The events of each row, one behind the other: those of row i from first[i] to before first[i +
 * 1]. A counting sort. */
static const uint32_t *events_by_row(struct sca_workspace *space, const struct sca_trace *trace,
                                     const struct sca_instance_rows *rows, uint32_t *first)
{
    uint32_t *events = sca_workspace_alloc(space, trace->nevents, sizeof *events);
    for (uint32_t e = 0; e < trace->nevents; e++)
        if (rows->row[e] != SCA_NONE)
            first[rows->row[e] + 2]++;
    for (uint32_t row = 2; row <= rows->n + 1; row++)
        first[row] += first[row - 1];
    for (uint32_t e = 0; e < trace->nevents; e++)
        if (rows->row[e] != SCA_NONE)
            events[first[rows->row[e] + 1]++] = e;
    return events;
}

static void compare_row(const uint32_t *events, uint32_t n, const double *seconds, float *deviation,
                        double *work)
{
    for (uint32_t i = 0; i < n; i++)
        work[i] = seconds[events[i]];
    double usual = middle(work, n);
    for (uint32_t i = 0; i < n; i++)
        deviation[events[i]] = (float)(seconds[events[i]] - usual);
}

void sca_instances_compare(struct sca_workspace *space, struct sca_trace *trace, uint32_t nsites)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_instance_rows rows = sca_instance_rows_find(&scratch, trace, nsites);
    uint32_t *first = sca_workspace_alloc(&scratch, (size_t)rows.n + 2, sizeof *first);
    const uint32_t *events = events_by_row(&scratch, trace, &rows, first);
    const double *seconds = sca_replay_trace_intervals(&scratch, trace);
    double *work = sca_workspace_alloc(&scratch, trace->nranks, sizeof *work);
    float *deviation = sca_workspace_alloc(space, trace->nevents, sizeof *deviation);
    for (uint32_t row = 0; row < rows.n; row++)
        compare_row(events + first[row], first[row + 1] - first[row], seconds, deviation, work);
    for (uint32_t r = 0; r < trace->nranks; r++)
        trace->sequences[r].deviation = deviation + trace->first[r];
    sca_workspace_free(&scratch);
}
