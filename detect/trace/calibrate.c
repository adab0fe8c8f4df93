#include "trace/calibrate.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { ROUNDS = 600 };
#define SETTLED 1e-6 /* relative: weights that move less have found their place */

void sca_calibrate_add_windows(const double *weight, uint32_t nwindows, const double *seconds,
                               double *shown, uint32_t nsums)
{
    memset(shown, 0, nsums * sizeof *shown);
    for (uint32_t w = 0; w < nwindows; w++) {
        const double *of_window = seconds + (size_t)w * nsums;
        for (uint32_t s = 0; s < nsums; s++)
            shown[s] += weight[w] * of_window[s];
    }
}

/* What each sum is short of. */
static void compare(const double *exact, double *shown, uint32_t nsums)
{
    for (uint32_t s = 0; s < nsums; s++)
        shown[s] = shown[s] > 0 ? exact[s] / shown[s] : 0;
}

/* The mean over what the window shows. */
static double lacking(const double *seconds, const double *ratio, uint32_t nsums)
{
    double all = 0, wanted = 0;
    for (uint32_t s = 0; s < nsums; s++) {
        all += seconds[s];
        wanted += seconds[s] * ratio[s];
    }
    return all > 0 ? wanted / all : 1;
}

/* False: every window stands for itself alone, or for what it should. */
static bool move_weights(double *weight, uint32_t nwindows, const double *seconds,
                         const double *ratio, uint32_t nsums)
{
    bool moved = false;
    for (uint32_t w = 0; w < nwindows; w++) {
        if (weight[w] <= 1)
            continue;
        double by = lacking(seconds + (size_t)w * nsums, ratio, nsums);
        weight[w] *= by;
        moved |= fabs(by - 1) > SETTLED;
    }
    return moved;
}

void sca_calibrate(double *weight, uint32_t nwindows, const double *seconds, const double *exact,
                   double *shown, uint32_t nsums)
{
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; round++) {
        sca_calibrate_add_windows(weight, nwindows, seconds, shown, nsums);
        compare(exact, shown, nsums);
        moved = move_weights(weight, nwindows, seconds, shown, nsums);
    }
}
