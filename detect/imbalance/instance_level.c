#include "imbalance/instance_level.h"
#include "base/degrees.h"
#include "stats/median.h"
#include "stats/order_gap.h"
#include "trace/instance_matrix.h"

#include <math.h>

/* Of the two in the middle of some instances: how far they are apart, as a part of the lower one;
 * and if they scattered by as much as that. */
struct scatter {
    double apart, expected;
};

/* Rows of a trace that follow each other. */
struct block {
    const struct sca_rows *rows;
    const double *interval;
    uint32_t first, count;
    double *level, *work; /* per rank: of its instances, 0 unless it has all */
};

static double seconds_of(const struct block *b, uint32_t row, uint32_t rank)
{
    uint32_t event = b->rows->event[(size_t)(b->first + row) * b->rows->nranks + rank];
    return event == SCA_NO_EVENT ? 0 : b->interval[event];
}

static void find_level(struct block *b, uint32_t rank, double gap, struct scatter *out)
{
    double of[SCA_SEVERAL];
    for (uint32_t k = 0; k < b->count; k++)
        of[k] = seconds_of(b, k, rank);
    sca_median_sort(of, b->count);
    const double *middle = of + (b->count - 1) / 2;
    b->level[rank] = of[0] > 0 ? middle[0] : 0;
    if (b->level[rank] <= 0)
        return;
    out->apart += middle[1] / middle[0] - 1;
    out->expected += gap;
}

/* Of the ranks that have a level. */
static double median_of(struct block *b)
{
    uint32_t there = 0;
    for (uint32_t r = 0; r < b->rows->nranks; r++)
        if (b->level[r] > 0)
            b->work[there++] = b->level[r];
    return there ? sca_median(b->work, there) : 0;
}

/* Of an interval. */
struct level_search {
    const struct sca_long_instances *of;
    uint32_t previous, site;
    double ratio, deviation;     /* of instances, relative */
    double gap[SCA_SEVERAL + 1]; /* between the two in the middle of so many */
    struct scatter within;
};

static double loss_of(const struct level_search *s, struct block *b)
{
    double error = s->deviation * sqrt(SCA_MEDIAN_VARIANCE / b->count);
    double median = median_of(b), most = 0;
    for (uint32_t r = 0; r < b->rows->nranks; r++)
        if (b->level[r] * (1 - SCA_THREE_SIGMAS * error) > s->ratio * median)
            most = fmax(most, b->level[r] - median);
    return most * b->rows->nranks * b->count;
}

static double sum_trace(struct level_search *s, struct sca_workspace *scratch, uint32_t trace)
{
    const struct sca_trace *from = &s->of->traces->traces[trace];
    struct sca_rows rows;
    double loss = 0;
    sca_instance_matrix_rows(scratch, from, s->previous, s->site, &rows);
    struct block b = {.rows = &rows,
                      .interval = s->of->interval[trace],
                      .level = sca_workspace_alloc(scratch, rows.nranks, sizeof *b.level),
                      .work = sca_workspace_alloc(scratch, rows.nranks, sizeof *b.work)};
    for (; b.first + 1 < rows.count && rows.alike; b.first += SCA_SEVERAL) {
        uint32_t left = rows.count - b.first;
        b.count = left < SCA_SEVERAL ? left : SCA_SEVERAL;
        for (uint32_t r = 0; r < rows.nranks; r++)
            find_level(&b, r, s->gap[b.count], &s->within);
        loss += loss_of(s, &b);
    }
    return loss * from->weight;
}

/* What is lost; and what instances scatter. */
static double sum_all(struct level_search *s)
{
    double loss = 0;
    s->within = (struct scatter){0};
    for (uint32_t i = 0; i < s->of->traces->count; i++) {
        struct sca_workspace scratch = {.out_of_memory = s->of->space->out_of_memory};
        loss += sum_trace(s, &scratch, i);
        sca_workspace_free(&scratch);
    }
    sca_team_sum(s->of->traces->team, &loss, 1);
    sca_team_sum(s->of->traces->team, (double *)&s->within, sizeof s->within / sizeof(double));
    return loss;
}

double sca_instance_level_loss(const struct sca_long_instances *of, uint32_t previous,
                               uint32_t site, double ratio)
{
    struct level_search s = {.of = of, .previous = previous, .site = site, .ratio = ratio};
    for (uint32_t n = 2; n <= SCA_SEVERAL; n++)
        s.gap[n] = sca_order_gap(n, (n - 1) / 2 + 1);
    (void)sum_all(&s);
    if (s.within.expected <= 0)
        return 0;
    s.deviation = s.within.apart / s.within.expected;
    return sum_all(&s);
}
