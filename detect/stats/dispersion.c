#include "stats/dispersion.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>

double sca_dispersion(double *seconds, uint32_t n, double reference, double usual)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < n && reference > 0; i++)
        if (seconds[i] < reference)
            seconds[below++] = (reference - seconds[i]) / reference;
    if (!below)
        return usual;
    /* what is usual is worth several ranks */
    double found = SCA_NORMAL_MAD * sca_median(seconds, below);
    return sqrt((below * found * found + SCA_SEVERAL * usual * usual) / (below + SCA_SEVERAL));
}
