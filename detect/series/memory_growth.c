#include "series/memory_growth.h"
#include "series/shape.h"

struct sca_memory_growth sca_memory_growth_of(struct sca_workspace *space,
                                              const struct sca_series_point *points, uint32_t n)
{
    double *bytes = sca_workspace_alloc(space, n, sizeof *bytes);
    for (uint32_t i = 0; i < n; i++)
        bytes[i] = 1024.0 * points[i].memory_kb;
    const struct sca_shape shape = sca_shape_of(space, bytes, n, 1);
    double begin = sca_trend_begin(&shape.drift), end = sca_trend_end(&shape.drift);
    if (!n || !shape.is_line || end <= begin)
        return (struct sca_memory_growth){0};
    uint64_t first = points[0].number, last = points[n - 1].number;
    return (struct sca_memory_growth){.is_real = true,
                                      .first = first,
                                      .last = last,
                                      .begin = begin,
                                      .end = end,
                                      .per_iteration = (end - begin) / (double)(last - first),
                                      .beyond =
                                          end + 2 * (end - shape.drift.knot[SCA_TREND_KNOTS / 2])};
}
