#include "series/loop_series.h"

#include <math.h>

static void leave_out_cores(struct sca_patterns *patterns)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < patterns->n; i++)
        if (!sca_pattern_may_be_cores(&patterns->list[i]))
            patterns->list[kept++] = patterns->list[i];
    patterns->n = kept;
}

void sca_loop_series_make(struct sca_workspace *space, const struct sca_series *series,
                          uint32_t loop, bool shared, struct sca_loop_series *out)
{
    const struct sca_series_section *section = &series->sections[loop];
    *out = (struct sca_loop_series){.series = series,
                                    .section = section,
                                    .points = series->points + section->first,
                                    .shared = shared};
    sca_series_clusters_find(space, out->points, section->npoints, &out->clusters);
    sca_patterns_find(space, series, section, &out->patterns);
    if (shared)
        leave_out_cores(&out->patterns);
}

double sca_loop_series_end(const struct sca_loop_series *loop)
{
    uint32_t n = loop->section->npoints;
    return n ? loop->points[n - 1].end : loop->section->begin;
}

static double ratio_of(double part, double whole)
{
    return whole > 0 ? fmin(1, part / whole) : (double)NAN; /* both are rounded */
}

struct sca_series_efficiency sca_series_efficiency_of(double own_mean, double own_max, double span,
                                                      bool shared)
{
    return (struct sca_series_efficiency){
        .load_balance = ratio_of(own_mean, own_max),
        .communication = shared ? (double)NAN : ratio_of(own_max, span),
        .parallel = shared ? (double)NAN : ratio_of(own_mean, span)};
}
