#include "stats/median.h"

#include <math.h>
#include <stdlib.h>

static void swap(double *a, double *b)
{
    double c = *a;
    *a = *b;
    *b = c;
}

/* The value in the middle of three: a good one to divide by, whatever order they are in. */
static double divider(const double *x, uint32_t low, uint32_t high)
{
    double a = x[low], b = x[low + (high - low) / 2], c = x[high];
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Quickselect: Hoare, CACM 1961. */
double sca_median_select(double *x, uint32_t n, uint32_t place)
{
    int64_t low = 0, high = (int64_t)n - 1;
    while (low < high) {
        double by = divider(x, (uint32_t)low, (uint32_t)high);
        int64_t i = low, k = high;
        while (i <= k) {
            for (; x[i] < by; i++)
                ;
            for (; x[k] > by; k--)
                ;
            if (i <= k)
                swap(&x[i++], &x[k--]);
        }
        if (place <= k)
            high = k;
        else if (place >= i)
            low = i;
        else
            break;
    }
    return x[place];
}

double sca_median(double *x, uint32_t n)
{
    return n ? sca_median_select(x, n, (n - 1) / 2) : 0;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sca_median_sort(double *x, uint32_t n)
{
    qsort(x, n, sizeof *x, by_size);
}
