#include "imbalance/excess_by_length.h"
#include "base/degrees.h"
#include "trace/instance_matrix.h"

#include <math.h>

/* Of instances of a rank, weighted: sums of lengths, excess over the ranks' median, products. */
struct moments {
    double n, weight, length, excess, length_length, length_excess, excess_excess;
};

static void add_instance(struct moments *sum, double length, double excess, double weight)
{
    weight *= length;
    sum->n += length > 0;
    sum->weight += weight;
    sum->length += weight * length;
    sum->excess += weight * excess;
    sum->length_length += weight * length * length;
    sum->length_excess += weight * length * excess;
    sum->excess_excess += weight * excess * excess;
}

static void add_row(const struct sca_rows *rows, uint32_t row, const double *interval,
                    double weight, double *work, struct moments *by_rank)
{
    double median = sca_instance_matrix_median(rows, row, interval, work);
    for (uint32_t r = 0; r < rows->nranks; r++) {
        uint32_t event = rows->event[(size_t)row * rows->nranks + r];
        if (event != SCA_NO_EVENT)
            add_instance(&by_rank[r], interval[event], interval[event] - median, weight);
    }
}

static void add_traces(const struct sca_long_instances *of, uint32_t previous, uint32_t site,
                       struct moments *by_rank)
{
    struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
    double *work = sca_workspace_alloc(&scratch, of->nranks, sizeof *work);
    for (uint32_t i = 0; i < of->traces->count; i++) {
        struct sca_rows in;
        sca_instance_matrix_rows(&scratch, &of->traces->traces[i], previous, site, &in);
        for (uint32_t k = 0; k < in.count && in.alike; k++)
            add_row(&in, k, of->interval[i], of->traces->traces[i].weight, work, by_rank);
    }
    sca_workspace_free(&scratch);
    sca_team_sum(of->traces->team, (double *)by_rank,
                 of->nranks * (sizeof *by_rank / sizeof(double)));
}

/* Around each rank's mean: excess = slope * length. */
static double slope_of(const struct moments *by_rank, uint32_t nranks)
{
    double n = 0, ll = 0, le = 0, ee = 0;
    for (uint32_t r = 0; r < nranks; r++) {
        const struct moments *of = &by_rank[r];
        if (of->weight <= 0)
            continue;
        n += of->n - 1;
        ll += of->length_length - of->length * of->length / of->weight;
        le += of->length_excess - of->length * of->excess / of->weight;
        ee += of->excess_excess - of->excess * of->excess / of->weight;
    }
    if (n < 2 || ll <= 0)
        return 0;
    double slope = le / ll, rest = fmax(0, ee - slope * le);
    return fabs(slope) >= SCA_TWO_SIGMAS * sqrt(rest / ll / (n - 1)) ? slope : 0;
}

double sca_excess_by_length(const struct sca_long_instances *of, uint32_t previous, uint32_t site)
{
    struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
    struct moments *by_rank = sca_workspace_alloc(&scratch, of->nranks, sizeof *by_rank);
    add_traces(of, previous, site, by_rank);
    double slope = slope_of(by_rank, of->nranks);
    sca_workspace_free(&scratch);
    return slope;
}
