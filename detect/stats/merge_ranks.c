#include "stats/merge_ranks.h"
#include "stats/median.h"
#include "stats/two_groups.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean(const double *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / n : 0;
}

static double deviation(const double *x, uint32_t n)
{
    double m = mean(x, n), sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (x[i] - m) * (x[i] - m);
    return n ? sqrt(sum / n) : 0;
}

static double slow_cluster(double *x, uint32_t n)
{
    qsort(x, n, sizeof *x, by_value);
    struct sca_two_groups groups = sca_two_groups_find(x, n);
    return groups.cut ? groups.upper : mean(x, n);
}

double sca_merge_ranks(double *x, uint32_t n, enum sca_merge strategy, uint32_t rank)
{
    switch (strategy) {
    case SCA_MERGE_MEAN:
        return mean(x, n);
    case SCA_MERGE_RANK:
        return rank < n ? x[rank] : 0;
    case SCA_MERGE_VARIANCE:
        return deviation(x, n);
    case SCA_MERGE_CLUSTER:
        return slow_cluster(x, n);
    case SCA_MERGE_MAX:
        return n ? sca_median_select(x, n, n - 1) : 0;
    case SCA_MERGE_MEDIAN:
        break;
    }
    return sca_median(x, n);
}
