#include "trace/os_noise.h"
#include "stats/over_ranks.h"
#include "team/team.h"

#include <math.h>

/* Of an interval's computation. What all ranks have more of than that now and then is the
 * program's. */
#define MOST_DISTURBED 0.15
/* Ranks are not disturbed alike: so many times what the middle one is. */
#define UNEVEN 2.0
/* Nor are instances: the most, over what a disturbance takes on average. */
#define GREATEST 3.0

/* Ranks x intervals: bounds memory to some hundred MB. */
#define MOST_CELLS (4ul << 20)

/* All [rank * intervals + interval], sums over the instances of all processes, but `cap`. */
struct search {
    struct sca_traces *traces;
    const struct sca_intervals *numbers;
    uint32_t nranks;
    size_t cells;
    double *intervals, *weights, *mean; /* seconds; instances; deviation */
    double *usual;                      /* deviation */
    double *above, *squares;            /* seconds beyond the usual, and of their squares */
    double *cap;                        /* per interval: the most that an instance is disturbed */
    double *capped;                     /* seconds beyond the usual, up to the cap */
    double *part;                       /* of these: put down to the cores */
    double *calm_intervals, *calm_excess;
};

struct disturbed_instance {
    struct sca_event_sequence *sequence;
    uint32_t event, number;
    size_t cell;
    double interval, deviation, weight;
};

typedef void visitor(struct search *s, const struct disturbed_instance *i);

static void visit_sequence(struct search *s, const struct sca_trace *trace, uint32_t rank,
                           visitor *visit)
{
    struct sca_event_sequence *sequence = &trace->sequences[rank];
    for (uint32_t k = 0; k < sequence->nevents; k++) {
        struct sca_trace_event event = sca_trace_event_of(sequence, k);
        uint32_t number = sca_intervals_number(s->numbers, event.previous, event.site);
        const struct disturbed_instance i = {.sequence = sequence,
                                             .event = k,
                                             .number = number,
                                             .cell = (size_t)rank * s->numbers->n + number,
                                             .interval = event.interval,
                                             .deviation = (double)sequence->deviation[k],
                                             .weight = trace->weight};
        if (number != SCA_NONE)
            visit(s, &i);
    }
}

static void visit_all(struct search *s, visitor *visit)
{
    for (uint32_t i = 0; i < s->traces->count; i++)
        for (uint32_t r = 0; r < s->nranks; r++)
            visit_sequence(s, &s->traces->traces[i], r, visit);
}

static void add_deviation(struct search *s, const struct disturbed_instance *i)
{
    s->intervals[i->cell] += i->interval * i->weight;
    s->weights[i->cell] += i->weight;
    s->mean[i->cell] += i->deviation * i->weight;
}

static void add_below_mean(struct search *s, const struct disturbed_instance *i)
{
    s->usual[i->cell] += fmin(i->deviation, s->mean[i->cell]) * i->weight;
}

static double above(const struct search *s, const struct disturbed_instance *i)
{
    return fmin(i->interval, fmax(0, i->deviation - s->usual[i->cell]));
}

static void add_above(struct search *s, const struct disturbed_instance *i)
{
    double seconds = above(s, i);
    s->above[i->cell] += seconds * i->weight;
    s->squares[i->cell] += seconds * seconds * i->weight;
}

static void add_capped(struct search *s, const struct disturbed_instance *i)
{
    s->capped[i->cell] += fmin(above(s, i), s->cap[i->number]) * i->weight;
}

static void divide(double *sums, const double *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sums[i] = counts[i] > 0 ? sums[i] / counts[i] : 0;
}

/* The mean of deviations that are cut off at their mean: a few long ones hardly count. Sums, unlike
 * medians, are the same however many processes share the traces. */
static void find_usual(struct search *s)
{
    struct sca_team *team = s->traces->team;
    visit_all(s, add_deviation);
    sca_team_sum_sparse(team, s->intervals, s->cells);
    sca_team_sum_sparse(team, s->weights, s->cells);
    sca_team_sum_sparse(team, s->mean, s->cells);
    divide(s->mean, s->weights, s->cells);
    visit_all(s, add_below_mean);
    sca_team_sum_sparse(team, s->usual, s->cells);
    divide(s->usual, s->weights, s->cells);
}

/* The middle rank's quotient of two sums in an interval, of those that were there. */
static double middle(const struct search *s, uint32_t interval, const double *of,
                     const double *over, double *row)
{
    for (uint32_t r = 0; r < s->nranks; r++) {
        size_t cell = (size_t)r * s->numbers->n + interval;
        row[r] = s->intervals[cell] <= 0 ? (double)NAN : over[cell] > 0 ? of[cell] / over[cell] : 0;
    }
    return sca_over_ranks_median(row, s->nranks, NULL, row);
}

static void find_caps(struct search *s, double *row)
{
    visit_all(s, add_above);
    sca_team_sum_sparse(s->traces->team, s->above, s->cells);
    sca_team_sum_sparse(s->traces->team, s->squares, s->cells);
    for (uint32_t interval = 0; interval < s->numbers->n; interval++)
        s->cap[interval] = GREATEST * middle(s, interval, s->squares, s->above, row);
    visit_all(s, add_capped);
    sca_team_sum_sparse(s->traces->team, s->capped, s->cells);
}

static void find_parts(struct search *s, double *row)
{
    for (uint32_t interval = 0; interval < s->numbers->n; interval++) {
        double part = middle(s, interval, s->above, s->intervals, row);
        for (uint32_t r = 0; r < s->nranks; r++) {
            size_t cell = (size_t)r * s->numbers->n + interval;
            double usual = s->intervals[cell] - s->above[cell];
            double most = part <= MOST_DISTURBED ? UNEVEN * part * usual : 0;
            s->part[cell] = s->capped[cell] > 0 ? fmin(1, most / s->capped[cell]) : 0;
        }
    }
}

static void mark(struct search *s, const struct disturbed_instance *i)
{
    double disturbed = fmin(above(s, i), s->cap[i->number]) * s->part[i->cell];
    i->sequence->disturbed[i->event] = (float)disturbed;
    s->calm_intervals[i->cell] += (i->interval - disturbed) * i->weight;
    s->calm_excess[i->cell] += sca_calm_excess_of(i->sequence, i->event) * i->weight;
}

static void mark_all(struct search *s)
{
    float *excess = sca_workspace_alloc(&s->traces->space, s->cells, sizeof *excess);
    float *part = sca_workspace_alloc(&s->traces->space, s->cells, sizeof *part);
    for (uint32_t i = 0; i < s->traces->count; i++)
        for (uint32_t r = 0; r < s->nranks; r++) {
            struct sca_event_sequence *sequence = &s->traces->traces[i].sequences[r];
            sequence->disturbed =
                sca_workspace_alloc(&s->traces->space, sequence->nevents, sizeof(float));
        }
    visit_all(s, mark);
    sca_team_sum_sparse(s->traces->team, s->calm_intervals, s->cells);
    sca_team_sum_sparse(s->traces->team, s->calm_excess, s->cells);
    divide(s->calm_excess, s->calm_intervals, s->cells);
    divide(s->calm_intervals, s->intervals, s->cells);
    for (size_t i = 0; i < s->cells; i++) {
        excess[i] = (float)s->calm_excess[i];
        part[i] = (float)s->calm_intervals[i];
    }
    for (uint32_t i = 0; i < s->traces->count; i++) {
        s->traces->traces[i].calm_excess = excess;
        s->traces->traces[i].calm_part = part;
    }
}

static void open_search(struct search *s, struct sca_workspace *scratch)
{
    double **lists[] = {&s->intervals, &s->weights, &s->mean, &s->usual,          &s->above,
                        &s->squares,   &s->capped,  &s->part, &s->calm_intervals, &s->calm_excess};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = sca_workspace_alloc(scratch, s->cells, sizeof(double));
    s->cap = sca_workspace_alloc(scratch, s->numbers->n, sizeof *s->cap);
}

void sca_os_noise_find(struct sca_traces *traces, uint32_t nranks,
                       const struct sca_intervals *intervals)
{
    struct sca_workspace scratch = {.out_of_memory = traces->space.out_of_memory};
    struct search s = {.traces = traces, .nranks = nranks, .numbers = intervals};
    double *row;
    s.cells = (size_t)nranks * intervals->n;
    if (!traces->recorded || s.cells > MOST_CELLS)
        return;
    open_search(&s, &scratch);
    row = sca_workspace_alloc(&scratch, nranks, sizeof *row);
    find_usual(&s);
    find_caps(&s, row);
    find_parts(&s, row);
    mark_all(&s);
    sca_workspace_free(&scratch);
}

static void add_sequence(const struct sca_intervals *intervals,
                         const struct sca_event_sequence *sequence, double weight, double *seconds)
{
    for (uint32_t k = 0; k < sequence->nevents; k++) {
        struct sca_trace_event event = sca_trace_event_of(sequence, k);
        uint32_t number = sca_intervals_number(intervals, event.previous, event.site);
        if (number != SCA_NONE)
            seconds[number] += weight * sca_disturbed_of(sequence, k);
    }
}

uint32_t sca_os_noise_most(struct sca_workspace *space, const struct sca_traces *traces,
                           const struct sca_intervals *intervals)
{
    double *seconds = sca_workspace_alloc(space, intervals->n + 1ul, sizeof *seconds);
    uint32_t most = 0;
    for (uint32_t t = 0; t < traces->count; t++)
        for (uint32_t r = 0; r < traces->traces[t].nranks; r++)
            add_sequence(intervals, &traces->traces[t].sequences[r], traces->traces[t].weight,
                         seconds);
    for (uint32_t number = 1; number < intervals->n; number++)
        most = seconds[number] > seconds[most] ? number : most;
    return seconds[most] > 0 ? most : SCA_NONE;
}
