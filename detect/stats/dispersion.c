#include "stats/dispersion.h"
#include "stats/median.h"

#include <math.h>

#define NORMAL_MAD  1.4826 /* standard deviation over median deviation of a normal distribution */
#define PRIOR_RANKS 3.0    /* that what is usual is worth */

double sca_dispersion(double *seconds, uint32_t n, double reference, double usual)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < n && reference > 0; i++)
        if (seconds[i] < reference)
            seconds[below++] = (reference - seconds[i]) / reference;
    if (!below)
        return usual;
    double found = NORMAL_MAD * sca_median(seconds, below);
    return sqrt((below * found * found + PRIOR_RANKS * usual * usual) / (below + PRIOR_RANKS));
}
