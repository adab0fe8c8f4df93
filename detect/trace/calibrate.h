/*
 * What windows stand for. Sixteen of them do not hold every part of a program's steps alike: a
 * window of four collectives, of steps with three, begins in another part each time. But what was
 * computed before each call site in the whole run, by each rank or block of ranks, is known
 * exactly, so the weights are moved, as little as that needs, until the windows add up to these
 * sums (calibration: Deville and Särndal, JASA 1992; found by the iteration of Shepp and Vardi,
 * IEEE Trans. Medical Imaging 1982, which keeps weights positive).
 */
#ifndef SCA_DETECT_CALIBRATE_H
#define SCA_DETECT_CALIBRATE_H

#include <stdint.h>

/* `seconds` is [window * nsums + sum], `exact` per sum, `shown` room for as many. A window that
 * stands for itself alone keeps its weight. */
void sca_calibrate(double *weight, uint32_t nwindows, const double *seconds, const double *exact,
                   double *shown, uint32_t nsums);
/* What the windows add up to, per sum. */
void sca_calibrate_add_windows(const double *weight, uint32_t nwindows, const double *seconds,
                               double *shown, uint32_t nsums);

#endif
