#include "stats/weighted_quantile.h"

#include <stdlib.h>

static int by_ratio(const void *a, const void *b)
{
    double x = ((const struct sca_weighted *)a)->ratio, y = ((const struct sca_weighted *)b)->ratio;
    return (x > y) - (x < y);
}

double sca_weighted_quantile(struct sca_weighted *w, uint32_t n, double total, double part)
{
    double sum = 0;
    qsort(w, n, sizeof *w, by_ratio);
    for (uint32_t i = 0; i < n; i++) {
        sum += w[i].weight;
        if (sum >= part * total)
            return w[i].ratio;
    }
    return 1;
}
