#include "calibrate.h"

#include <stdbool.h>
#include <stddef.h>

enum { ROUNDS = 60 }; /* then it is close; more would fit noise */

void sca_add_windows(const double *weight, uint32_t nwindows, const double *seconds, double *shown,
                     uint32_t nsites)
{
    for (uint32_t s = 0; s < nsites; s++) {
        shown[s] = 0;
        for (uint32_t w = 0; w < nwindows; w++)
            shown[s] += weight[w] * seconds[(size_t)w * nsites + s];
    }
}

/* The mean of what the sites the window shows are short of. */
static double lacking(const double *seconds, const double *exact, const double *shown,
                      uint32_t nsites)
{
    double all = 0, wanted = 0;
    for (uint32_t s = 0; s < nsites; s++)
        if (shown[s] > 0) {
            all += seconds[s];
            wanted += seconds[s] * exact[s] / shown[s];
        }
    return all > 0 ? wanted / all : 1;
}

/* False: every window stands for itself alone. */
static bool move_weights(double *weight, uint32_t nwindows, const double *seconds,
                         const double *exact, const double *shown, uint32_t nsites)
{
    bool moved = false;
    for (uint32_t w = 0; w < nwindows; w++)
        if (weight[w] > 1) {
            weight[w] *= lacking(seconds + (size_t)w * nsites, exact, shown, nsites);
            moved = true;
        }
    return moved;
}

void sca_calibrate(double *weight, uint32_t nwindows, const double *seconds, const double *exact,
                   double *shown, uint32_t nsites)
{
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; round++) {
        sca_add_windows(weight, nwindows, seconds, shown, nsites);
        moved = move_weights(weight, nwindows, seconds, exact, shown, nsites);
    }
}
