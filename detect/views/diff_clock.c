/* A slower core, or a slower clock, is no change of the program. */
#include "views/diff.h"
#include "base/degrees.h"

#include <math.h>

double sca_diff_slower(const struct sca_diff_side *before, const struct sca_diff_side *after)
{
    if (!(before->step_ns > 0) || !(after->step_ns > 0))
        return 1;
    double slower = after->step_ns / before->step_ns;
    return fabs(slower - 1) < SCA_SAME_CORE ? 1 : slower;
}

static void divide(double *values, uint32_t n, double by)
{
    for (uint32_t i = 0; values && i < n; i++)
        values[i] /= by;
}

void sca_diff_divide(struct sca_diff_side *after, double slower)
{
    if (slower == 1)
        return;
    divide(after->own, after->nvertices, slower);
    after->core_s /= slower;
    after->by_chance /= slower;
    after->wall /= slower;
    after->virtual_wall /= slower;
}
