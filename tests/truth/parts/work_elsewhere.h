/* The functions of work.h where they are of another file. Way `file`. */
#ifndef WORK_ELSEWHERE_H
#define WORK_ELSEWHERE_H

#ifdef __cplusplus
extern "C" {
#endif

double flop(double x, double a, double b);
double bend(double x, long i);
double mean(double west, double east, double north, double south);
double pull(double distance);
int hop(const int *next, int at);

#ifdef __cplusplus
}
#endif

#endif
