/* The loop that several functions call. Way `paths`. */
#ifndef WORK_PATHS_H
#define WORK_PATHS_H

#ifdef __cplusplus
extern "C" {
#endif

double iterated(double x, long count, double a, double b);

#ifdef __cplusplus
}
#endif

#endif
