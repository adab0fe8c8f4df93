#include "timeline/efficiency_over_time.h"
#include "base/degrees.h"
#include "series/loop_series.h"

#include <math.h>

struct sca_part_efficiency sca_part_efficiency_of(double own_mean, double own_max, double span,
                                                  bool shared,
                                                  const struct sca_recorded_point *recorded)
{
    const struct sca_series_efficiency e =
        sca_series_efficiency_of(own_mean, own_max, span, shared);
    struct sca_part_efficiency out = {.load_balance = e.load_balance,
                                      .serialisation = (double)NAN,
                                      .transfer = (double)NAN,
                                      .communication = e.communication,
                                      .parallel = e.parallel};
    if (recorded->iterations <= 0 || recorded->span <= 0)
        return out;
    out.recorded = recorded->iterations;
    out.serialisation = fmin(1, recorded->own_max / recorded->span);
    if (shared) {
        out.communication = out.serialisation;
        out.parallel = out.load_balance * out.serialisation;
    } else { /* a replay that lasts longer than the clock says is wrong by so much */
        out.serialisation = fmax(out.serialisation, out.communication);
        out.transfer = out.communication / out.serialisation;
    }
    return out;
}

struct sca_part_efficiency sca_cluster_efficiency(const struct sca_series_cluster *cluster,
                                                  bool shared,
                                                  const struct sca_recorded_point *recorded)
{
    return sca_part_efficiency_of(cluster->own, cluster->own_max, cluster->span, shared, recorded);
}

struct sca_part_efficiency sca_point_efficiency(const struct sca_recorded *all, uint32_t point,
                                                bool shared,
                                                const struct sca_recorded_point *cluster)
{
    const struct sca_series_point *p = &all->series->points[point];
    const struct sca_recorded_point *own = &all->points[point];
    return sca_part_efficiency_of(p->own.mean, p->own.max, p->span, shared,
                                  own->iterations > 0 ? own : cluster);
}

static bool lies_in(const struct sca_series *series, uint32_t phase, uint32_t within)
{
    while (phase != SCA_NONE && phase != within)
        phase = series->phases[phase].parent;
    return phase == within;
}

struct sca_part_efficiency sca_phase_efficiency(const struct sca_recorded *all, uint32_t phase,
                                                bool shared)
{
    const struct sca_series *series = all->series;
    const struct sca_series_phase *p = &series->phases[phase];
    struct sca_recorded_point sum = {0};
    double span = 0;
    for (uint32_t i = 0; i < series->npoints; i++) {
        if (!lies_in(series, series->points[i].phase, phase))
            continue;
        span += series->points[i].span;
        sum.iterations += all->points[i].iterations;
        sum.own_max += all->points[i].own_max;
        sum.span += all->points[i].span;
    }
    if (fabs(span - p->span) > SCA_SUBSTANTIAL * p->span)
        sum.iterations = 0;
    return sca_part_efficiency_of(p->own.mean, p->own.max, p->span, shared, &sum);
}
