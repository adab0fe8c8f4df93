#include "imbalance/instance_level.h"
#include "base/degrees.h"
#include "measure/interval_matrix.h"
#include "stats/median.h"
#include "trace/instance_matrix.h"

#include <math.h>

struct scatter { /* of the middle two of four: how far apart, as a part of the lower one */
    double apart, count;
};

/* Four rows of a trace that follow each other. */
struct block {
    const struct sca_rows *rows;
    const double *interval;
    uint32_t first;
    double *level, *work; /* per rank: of its instances, 0 unless it has all */
};

static double seconds_of(const struct block *b, uint32_t row, uint32_t rank)
{
    uint32_t event = b->rows->event[(size_t)(b->first + row) * b->rows->nranks + rank];
    return event == SCA_NO_EVENT ? 0 : b->interval[event];
}

static void find_level(struct block *b, uint32_t rank, struct scatter *out)
{
    double of[SCA_SEVERAL];
    for (uint32_t k = 0; k < SCA_SEVERAL; k++)
        of[k] = seconds_of(b, k, rank);
    sca_median_sort(of, SCA_SEVERAL);
    const double *middle = of + (SCA_SEVERAL - 1) / 2;
    b->level[rank] = of[0] > 0 ? middle[0] : 0;
    if (b->level[rank] <= 0)
        return;
    out->apart += middle[1] / middle[0] - 1;
    out->count++;
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

static double loss_of(struct block *b, double ratio, double error)
{
    double median = median_of(b), most = 0;
    for (uint32_t r = 0; r < b->rows->nranks; r++)
        if (b->level[r] * (1 - SCA_THREE_SIGMAS * error) > ratio * median)
            most = fmax(most, b->level[r] - median);
    return most * b->rows->nranks * SCA_SEVERAL;
}

/* What is lost, and what instances scatter. */
static double sum_trace(struct sca_workspace *scratch, const struct sca_long_instances *of,
                        uint32_t trace, struct sca_call_pair pair, double ratio, double error,
                        struct scatter *out)
{
    struct sca_rows rows;
    double loss = 0;
    sca_instance_matrix_rows(scratch, &of->traces->traces[trace], pair.previous, pair.site, &rows);
    struct block b = {.rows = &rows,
                      .interval = of->interval[trace],
                      .level = sca_workspace_alloc(scratch, of->nranks, sizeof *b.level),
                      .work = sca_workspace_alloc(scratch, of->nranks, sizeof *b.work)};
    for (; b.first + SCA_SEVERAL <= rows.count && rows.alike; b.first += SCA_SEVERAL) {
        for (uint32_t r = 0; r < rows.nranks; r++)
            find_level(&b, r, out);
        loss += loss_of(&b, ratio, error);
    }
    return loss * of->traces->traces[trace].weight;
}

static double sum_all(const struct sca_long_instances *of, struct sca_call_pair pair, double ratio,
                      double error, struct scatter *out)
{
    double loss = 0;
    for (uint32_t i = 0; i < of->traces->count; i++) {
        struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
        loss += sum_trace(&scratch, of, i, pair, ratio, error, out);
        sca_workspace_free(&scratch);
    }
    return loss;
}

double sca_instance_level_loss(const struct sca_long_instances *of, uint32_t previous,
                               uint32_t site, double ratio)
{
    struct sca_call_pair pair = {.previous = previous, .site = site};
    struct scatter within = {0};
    (void)sum_all(of, pair, ratio, 1, &within);
    sca_team_sum(of->traces->team, (double *)&within, sizeof within / sizeof(double));
    if (within.count <= 0)
        return 0;
    double deviation = within.apart / within.count / SCA_FOUR_APART;
    double loss =
        sum_all(of, pair, ratio, deviation * sqrt(SCA_MEDIAN_VARIANCE / SCA_SEVERAL), &within);
    sca_team_sum(of->traces->team, &loss, 1);
    return loss;
}
