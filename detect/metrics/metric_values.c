#include "metrics/metric_values.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fill_own(const struct sca_metric_source *source, uint32_t id,
                    const struct sca_metric_range *range, double *values)
{
    const struct sca_metric_block block = {
        range->first, range->height, range->left, range->width, 1, &id, &values, NULL, NULL, NULL};
    return sca_metric_block_fill(source, &block);
}

/* Those below come after: from the last one up, each is complete when it is added. */
void sca_metric_values_add_up(const struct sca_ppg *ppg, const struct sca_metric_range *range,
                              double *values)
{
    for (uint32_t c = range->height; c-- > 1;) {
        uint32_t parent = ppg->vertices[range->first + c].parent;
        if (parent < range->first)
            continue;
        const double *from = values + (size_t)c * range->width;
        double *to = values + (size_t)(parent - range->first) * range->width;
        for (uint32_t l = 0; l < range->width; l++)
            to[l] += from[l];
    }
}

/* How many vertices there are from the first to the last one below any of the range. */
static uint32_t with_those_below(const uint32_t *ends, const struct sca_metric_range *range)
{
    uint32_t end = range->first + range->height;
    for (uint32_t c = range->first; c < range->first + range->height; c++)
        if (ends[c] > end)
            end = ends[c];
    return end - range->first;
}

/* In the caller's block where it holds all that lies below, else in one that does. */
static int fill_inclusive(const struct sca_metric_source *source, const uint32_t *ends, uint32_t id,
                          const struct sca_metric_range *range, double *values)
{
    struct sca_metric_range whole = *range;
    whole.height = with_those_below(ends, range);
    double *all = whole.height > range->height
                      ? malloc((size_t)whole.height * whole.width * sizeof *all)
                      : values;
    if (!all)
        return sca_fail(SCA_ENOMEM, "out of memory");
    int status = fill_own(source, id, &whole, all);
    if (status == SCA_OK)
        sca_metric_values_add_up(source->ppg, &whole, all);
    if (all == values)
        return status;
    if (status == SCA_OK)
        memcpy(values, all, (size_t)range->height * range->width * sizeof *values);
    free(all);
    return status;
}

static int fill(const struct sca_metric_source *source, const uint32_t *ends, uint32_t id,
                bool inclusive, const struct sca_metric_range *range, double *values)
{
    return inclusive ? fill_inclusive(source, ends, id, range, values)
                     : fill_own(source, id, range, values);
}

int sca_metric_values(const struct sca_metric_source *source, const uint32_t *ends,
                      const struct scalana_metric *metric, bool inclusive,
                      const struct sca_metric_range *range, double *values)
{
    size_t n = (size_t)range->height * range->width;
    if (!sca_metric_is_ratio(metric))
        return fill(source, ends, metric->id, inclusive, range, values);
    double *per = malloc(n * sizeof *per);
    int status = per ? fill(source, ends, metric->of, inclusive, range, values)
                     : sca_fail(SCA_ENOMEM, "out of memory");
    if (status == SCA_OK)
        status = fill(source, ends, metric->per, inclusive, range, per);
    for (size_t i = 0; status == SCA_OK && i < n; i++)
        values[i] = per[i] > 0 ? values[i] / per[i] * metric->scale : (double)NAN;
    free(per);
    return status;
}
