#include "trace/window_fit.h"
#include "trace/trace_synthesis.h"

struct shown { /* both [rank * intervals + interval] */
    double *seconds, *times;
};

struct fitting {
    const struct sca_intervals *intervals;
    struct shown alone; /* by windows that stand for themselves: nothing is to be estimated there */
    struct shown others; /* by the others, times their weights */
};

static size_t cell_of(const struct fitting *f, uint32_t rank, uint32_t interval)
{
    return (size_t)rank * f->intervals->n + interval;
}

static void add_trace(struct fitting *f, const struct sca_trace *trace)
{
    struct shown *to = sca_trace_stands_alone(trace) ? &f->alone : &f->others;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t i = 0; i < trace->sequences[r].nevents; i++) {
            struct sca_trace_event event = sca_trace_event_of(&trace->sequences[r], i);
            uint32_t number = sca_intervals_number(f->intervals, event.previous, event.site);
            if (number == SCA_NONE)
                continue;
            to->seconds[cell_of(f, r, number)] += event.interval * trace->weight;
            to->times[cell_of(f, r, number)] += trace->weight;
        }
}

/* By what the instances of a cell are to be multiplied, whose seconds and number are known. */
static double factor_of(const struct fitting *f, size_t cell, double seconds, double times)
{
    double left = seconds - f->alone.seconds[cell], left_times = times - f->alone.times[cell];
    if (f->others.seconds[cell] <= 0 || left <= 0 || left_times <= 0)
        return 1;
    return left / left_times / (f->others.seconds[cell] / f->others.times[cell]);
}

/* SCA_NONE: it is none of the run's, or at a call that windows leave out. */
static uint32_t number_of(const struct fitting *f, const struct sca_detours *detours,
                          const struct sca_part_interval *exact)
{
    return detours->left_out[exact->previous] || detours->left_out[exact->site]
               ? SCA_NONE
               : sca_intervals_number(f->intervals, exact->previous, exact->site);
}

/* `factor`: per interval, of this rank. Where several calls come after one and are not told apart,
 * their instances have no mean in common: `calls` is how many, per interval. */
static void compare(const struct fitting *f, const struct sca_detours *detours,
                    const struct sca_rank *of, uint32_t rank, uint32_t *calls, double *factor)
{
    for (uint32_t number = 0; number < f->intervals->n; number++) {
        factor[number] = 1;
        calls[number] = 0;
    }
    for (uint32_t i = 0; i < of->nintervals; i++) {
        uint32_t number = number_of(f, detours, &of->intervals[i]);
        if (number != SCA_NONE)
            calls[number]++;
    }
    for (uint32_t i = 0; i < of->nintervals; i++) {
        const struct sca_part_interval *exact = &of->intervals[i];
        uint32_t number = number_of(f, detours, exact);
        if (number != SCA_NONE && calls[number] == 1)
            factor[number] = factor_of(f, cell_of(f, rank, number),
                                       sca_trace_synthesis_seconds(exact), (double)exact->count);
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

static struct shown open_shown(struct sca_workspace *space, size_t cells)
{
    return (struct shown){sca_workspace_alloc(space, cells, sizeof(double)),
                          sca_workspace_alloc(space, cells, sizeof(double))};
}

static void add_all(struct fitting *f, struct sca_team *team, const struct sca_trace *traces,
                    uint32_t count, size_t cells)
{
    double *sums[] = {f->alone.seconds, f->alone.times, f->others.seconds, f->others.times};
    for (uint32_t i = 0; i < count; i++)
        add_trace(f, &traces[i]);
    for (size_t i = 0; i < sizeof sums / sizeof *sums && team; i++)
        sca_team_sum_sparse(team, sums[i], cells);
}

void sca_window_fit(struct sca_detours *detours, const struct sca_intervals *intervals,
                    struct sca_team *team, struct sca_trace *traces, uint32_t count)
{
    struct sca_workspace scratch = {.out_of_memory = detours->space->out_of_memory};
    uint32_t nranks = detours->profile->nranks;
    size_t cells = (size_t)nranks * intervals->n;
    struct fitting f = {intervals, open_shown(&scratch, cells), open_shown(&scratch, cells)};
    double *factor = sca_workspace_alloc(&scratch, intervals->n, sizeof *factor);
    uint32_t *calls = sca_workspace_alloc(&scratch, intervals->n, sizeof *calls);
    add_all(&f, team, traces, count, cells);
    for (uint32_t r = 0; r < nranks; r++) {
        compare(&f, detours, sca_local_calls_of_rank(detours, r), r, calls, factor);
        for (uint32_t i = 0; i < count; i++)
            if (!sca_trace_stands_alone(&traces[i]))
                multiply(&f, factor, &traces[i].sequences[r]);
    }
    sca_workspace_free(&scratch);
}
