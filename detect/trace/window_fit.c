#include "trace/window_fit.h"
#include "trace/trace_synthesis.h"

struct fitting { /* both [rank * intervals + interval] */
    const struct sca_intervals *intervals;
    double *seconds, *times; /* of what the traces show, times their weights */
};

static size_t cell_of(const struct fitting *f, uint32_t rank, uint32_t interval)
{
    return (size_t)rank * f->intervals->n + interval;
}

static void add_trace(struct fitting *f, const struct sca_trace *trace)
{
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t i = 0; i < trace->sequences[r].nevents; i++) {
            struct sca_trace_event event = sca_trace_event_of(&trace->sequences[r], i);
            uint32_t number = sca_intervals_number(f->intervals, event.previous, event.site);
            if (number == SCA_NONE)
                continue;
            f->seconds[cell_of(f, r, number)] += event.interval * trace->weight;
            f->times[cell_of(f, r, number)] += trace->weight;
        }
}

/* By what each interval's instances are to be multiplied on this rank. */
static void compare(const struct fitting *f, const struct sca_detours *detours,
                    const struct sca_rank *of, uint32_t rank, double *factor)
{
    for (uint32_t number = 0; number < f->intervals->n; number++)
        factor[number] = 1;
    for (uint32_t i = 0; i < of->nintervals; i++) {
        const struct sca_part_interval *exact = &of->intervals[i];
        uint32_t number = sca_intervals_number(f->intervals, exact->previous, exact->site);
        if (number == SCA_NONE || !exact->count || detours->left_out[exact->previous] ||
            detours->left_out[exact->site])
            continue;
        size_t cell = cell_of(f, rank, number);
        if (f->seconds[cell] > 0)
            factor[number] = sca_trace_synthesis_seconds(exact) / (double)exact->count /
                             (f->seconds[cell] / f->times[cell]);
    }
}

static void multiply(const struct fitting *f, const double *factor,
                     struct sca_event_sequence *sequence)
{
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t number =
            sca_intervals_number(f->intervals, sequence->sites[i], sequence->sites[i + 1]);
        if (number != SCA_NONE)
            sequence->interval[i] *= factor[number];
    }
}

void sca_window_fit(struct sca_detours *detours, const struct sca_intervals *intervals,
                    struct sca_team *team, struct sca_trace *traces, uint32_t count)
{
    struct sca_workspace scratch = {.out_of_memory = detours->space->out_of_memory};
    uint32_t nranks = detours->profile->nranks;
    size_t cells = (size_t)nranks * intervals->n;
    struct fitting f = {intervals, sca_workspace_alloc(&scratch, cells, sizeof(double)),
                        sca_workspace_alloc(&scratch, cells, sizeof(double))};
    double *factor = sca_workspace_alloc(&scratch, intervals->n, sizeof *factor);
    for (uint32_t i = 0; i < count; i++)
        add_trace(&f, &traces[i]);
    if (team) {
        sca_team_sum_sparse(team, f.seconds, cells);
        sca_team_sum_sparse(team, f.times, cells);
    }
    for (uint32_t r = 0; r < nranks; r++) {
        compare(&f, detours, sca_local_calls_of_rank(detours, r), r, factor);
        for (uint32_t i = 0; i < count; i++)
            multiply(&f, factor, &traces[i].sequences[r]);
    }
    sca_workspace_free(&scratch);
}
