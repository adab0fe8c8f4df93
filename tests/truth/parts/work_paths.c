#include "work_paths.h"

double iterated(double x, long count, double a, double b)
{
    for (long i = 0; i < count; i++) /* CAUSE */
        x = x * a + b;
    return x;
}
