#include "trace/instances.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>

struct interval {
    uint32_t site, first, rows; /* number of its first row; instances of the rank with most */
    uint32_t rank, seen;        /* instances of the rank at hand */
    struct interval *next;      /* after the same call */
};

struct compared_instance {
    double seconds;
    float *deviation; /* of its event */
    struct interval *interval;
    uint32_t number; /* among those of its rank */
};

struct comparing {
    struct sca_workspace *space;
    uint32_t nsites, nrows, ninstances;
    struct interval **after; /* per site before */
    struct compared_instance *instances;
    uint32_t *first; /* per row, into of_row: the same instance of all ranks */
    const struct compared_instance **of_row;
};

static struct interval *interval_of(struct comparing *c, const struct sca_trace_event *s)
{
    struct interval **after = &c->after[s->previous], *found = *after;
    while (found && found->site != s->site)
        found = found->next;
    if (found)
        return found;
    found = sca_workspace_alloc(c->space, 1, sizeof *found);
    *found = (struct interval){.site = s->site, .rank = SCA_NONE, .next = *after};
    return *after = found;
}

static void number_instances_of(struct comparing *c, const struct sca_event_sequence *sequence,
                                uint32_t rank)
{
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        struct sca_trace_event s = sca_trace_event_of(sequence, i);
        if (s.previous >= c->nsites)
            continue;
        struct interval *v = interval_of(c, &s);
        v->seen = v->rank == rank ? v->seen + 1 : 1;
        v->rank = rank;
        v->rows = v->seen > v->rows ? v->seen : v->rows;
        c->instances[c->ninstances++] =
            (struct compared_instance){s.interval, &sequence->deviation[i], v, v->seen - 1};
    }
}

static uint32_t row_of(const struct compared_instance *i)
{
    return i->interval->first + i->number;
}

/* A counting sort. */
static void sort_by_row(struct comparing *c)
{
    for (uint32_t s = 0; s < c->nsites; s++)
        for (struct interval *v = c->after[s]; v; v = v->next) {
            v->first = c->nrows;
            c->nrows += v->rows;
        }
    c->first = sca_workspace_alloc(c->space, (size_t)c->nrows + 2, sizeof *c->first);
    for (uint32_t i = 0; i < c->ninstances; i++)
        c->first[row_of(&c->instances[i]) + 2]++;
    for (uint32_t row = 2; row <= c->nrows + 1; row++)
        c->first[row] += c->first[row - 1];
    for (uint32_t i = 0; i < c->ninstances; i++)
        c->of_row[c->first[row_of(&c->instances[i]) + 1]++] = &c->instances[i];
}

/* The median of few. Of two halves, one with more to do, that is the slowest of the other half: of
 * more ranks it is one further down, which a slow instance of a single rank leaves where it is. */
static double middle(double *intervals, uint32_t n)
{
    /* one slow rank of a half must not move it */
    return n < 2 * SCA_SEVERAL ? sca_median(intervals, n)
                               : sca_median_select(intervals, n, (n - 1) * 2 / 5);
}

static void compare_row(const struct comparing *c, uint32_t row, double *work)
{
    uint32_t n = 0;
    for (uint32_t i = c->first[row]; i < c->first[row + 1]; i++)
        work[n++] = c->of_row[i]->seconds;
    double usual = middle(work, n);
    for (uint32_t i = c->first[row]; i < c->first[row + 1]; i++)
        *c->of_row[i]->deviation = (float)(c->of_row[i]->seconds - usual);
}

void sca_instances_compare(struct sca_workspace *space, struct sca_trace *trace, uint32_t nsites)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct comparing c = {.space = &scratch, .nsites = nsites};
    c.after = sca_workspace_alloc(&scratch, nsites, sizeof *c.after);
    c.instances = sca_workspace_alloc(&scratch, trace->nevents, sizeof *c.instances);
    c.of_row = sca_workspace_alloc(&scratch, trace->nevents, sizeof *c.of_row);
    for (uint32_t r = 0; r < trace->nranks; r++) {
        struct sca_event_sequence *sequence = &trace->sequences[r];
        sequence->deviation =
            sca_workspace_alloc(space, sequence->nevents, sizeof *sequence->deviation);
        number_instances_of(&c, sequence, r);
    }
    sort_by_row(&c);
    double *work = sca_workspace_alloc(&scratch, trace->nranks, sizeof *work);
    for (uint32_t row = 0; row < c.nrows; row++)
        compare_row(&c, row, work);
    sca_workspace_free(&scratch);
}
