#include "imbalance/long_instances.h"
#include "trace/instance_matrix.h"

#include <math.h>
#include <string.h>

struct sca_long_instances sca_long_instances_open(struct sca_workspace *space,
                                                  const struct sca_traces *traces, uint32_t nranks)
{
    struct sca_long_instances of = {.space = space, .traces = traces, .nranks = nranks};
    of.excess = sca_workspace_alloc(space, nranks, sizeof *of.excess);
    of.times = sca_workspace_alloc(space, nranks, sizeof *of.times);
    of.late = sca_workspace_alloc(space, nranks, sizeof *of.late);
    of.interval = sca_workspace_alloc(space, traces->count, sizeof *of.interval);
    of.adds_up = sca_workspace_alloc(space, traces->count, sizeof *of.adds_up);
    for (uint32_t i = 0; i < traces->count; i++) {
        of.interval[i] = sca_replay_trace_shown(space, &traces->traces[i]);
        of.adds_up[i] = sca_replay_trace_intervals(space, &traces->traces[i]);
    }
    return of;
}

bool sca_long_instances_is(double seconds, double median, double limit)
{
    return seconds > limit * median;
}

struct beside { /* one instance, of all ranks */
    double median, most, slowest, slowest_usual, members, long_members;
};

static void add_rank(struct sca_long_instances *of, uint32_t rank, double seconds, double limit,
                     const double *late, double weight, struct beside *in)
{
    double more = late ? late[rank] : seconds - in->median;
    in->members++;
    in->slowest = fmax(in->slowest, seconds);
    if (late ? more <= 0 : !sca_long_instances_is(seconds, in->median, limit)) {
        in->slowest_usual = fmax(in->slowest_usual, seconds);
        return;
    }
    in->long_members++;
    in->most = fmax(in->most, more);
    of->excess[rank] += more * weight;
    of->times[rank]++;
    of->sum.seconds += seconds;
    of->sum.median += late ? seconds - more : in->median;
}

static void add_instance(struct sca_long_sums *sum, const struct beside *in, double mean,
                         double weight, uint32_t nranks)
{
    sum->rows += weight;
    sum->shown++;
    sum->long_rows += in->most > 0 ? weight : 0;
    sum->members += in->most > 0 ? in->members * weight : 0;
    sum->long_members += in->long_members * weight;
    sum->saved_equalised += (in->slowest - in->slowest_usual) * weight;
    sum->saved_smoothed += (in->slowest - mean) * weight;
    sum->loss += in->most * nranks * weight;
}

static void add_row(struct sca_long_instances *of, const struct sca_rows *rows, uint32_t row,
                    const double *interval, double weight, double limit, const double *late,
                    double *work)
{
    struct beside in = {.median = sca_instance_matrix_median(rows, row, interval, work)};
    for (uint32_t r = 0; r < rows->nranks; r++) {
        uint32_t event = rows->event[(size_t)row * rows->nranks + r];
        if (event != SCA_NO_EVENT)
            add_rank(of, r, interval[event], limit, late, weight, &in);
    }
    add_instance(&of->sum, &in, sca_instance_matrix_mean(rows, row, interval), weight,
                 rows->nranks);
}

/* By what adds up to the ranks' totals. */
static void add_late(struct sca_long_instances *of, const struct sca_rows *rows, uint32_t row,
                     const double *adds_up, double weight, double *work)
{
    double median = sca_instance_matrix_median(rows, row, adds_up, work);
    for (uint32_t r = 0; r < rows->nranks; r++) {
        uint32_t event = rows->event[(size_t)row * rows->nranks + r];
        of->late[r] += event != SCA_NO_EVENT ? (adds_up[event] - median) * weight : 0;
    }
}

static void sum_up(struct sca_long_instances *of)
{
    double values[sizeof of->sum / sizeof(double)];
    memcpy(values, &of->sum, sizeof values);
    sca_team_sum(of->traces->team, values, sizeof values / sizeof *values);
    memcpy(&of->sum, values, sizeof values);
    sca_team_sum(of->traces->team, of->excess, of->nranks);
    sca_team_sum(of->traces->team, of->times, of->nranks);
    sca_team_sum(of->traces->team, of->late, of->nranks);
}

void sca_long_instances_count(struct sca_long_instances *of, uint32_t previous, uint32_t site,
                              double limit, const double *late)
{
    struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
    double *work = sca_workspace_alloc(&scratch, of->nranks, sizeof *work);
    memset(of->excess, 0, of->nranks * sizeof *of->excess);
    memset(of->times, 0, of->nranks * sizeof *of->times);
    memset(of->late, 0, of->nranks * sizeof *of->late);
    of->sum = (struct sca_long_sums){0};
    for (uint32_t i = 0; i < of->traces->count; i++) {
        struct sca_rows in;
        sca_instance_matrix_rows(&scratch, &of->traces->traces[i], previous, site, &in);
        for (uint32_t k = 0; k < in.count && in.alike; k++) {
            double weight = of->traces->traces[i].weight;
            add_row(of, &in, k, of->interval[i], weight, limit,
                    late ? late + (size_t)sca_instance_matrix_half(&in, k) * of->nranks : NULL,
                    work);
            add_late(of, &in, k, of->adds_up[i], weight, work);
        }
    }
    sca_workspace_free(&scratch);
    sum_up(of);
}
