#include "stats/regression.h"

#include <math.h>
#include <stdlib.h>

enum { PRIOR_POINTS = 4 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

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
double sca_select(double *x, uint32_t n, uint32_t place)
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
    return n ? sca_select(x, n, (n - 1) / 2) : 0;
}

static double mean(const double *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / n : 0;
}

static double deviation(const double *x, uint32_t n)
{
    double m = mean(x, n), sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (x[i] - m) * (x[i] - m);
    return n ? sqrt(sum / n) : 0;
}

/* Two groups on a line are a cut of the sorted values: try every cut. */
static double slow_cluster(double *x, uint32_t n)
{
    double total = 0, left = 0, best = -1, centre = 0;
    qsort(x, n, sizeof *x, by_value);
    for (uint32_t i = 0; i < n; i++)
        total += x[i];
    centre = n ? total / n : 0;
    for (uint32_t cut = 1; cut < n; cut++) {
        left += x[cut - 1];
        double right = total - left;
        double between = left * left / cut + right * right / (n - cut);
        if (between > best) {
            best = between;
            centre = right / (n - cut);
        }
    }
    return centre;
}

double sca_merge_ranks(double *x, uint32_t n, enum sca_merge strategy, uint32_t rank)
{
    switch (strategy) {
    case SCA_MERGE_MEAN:
        return mean(x, n);
    case SCA_MERGE_RANK:
        return rank < n ? x[rank] : 0;
    case SCA_MERGE_VARIANCE:
        return deviation(x, n);
    case SCA_MERGE_CLUSTER:
        return slow_cluster(x, n);
    case SCA_MERGE_MAX:
        return n ? sca_select(x, n, n - 1) : 0;
    case SCA_MERGE_MEDIAN:
        break;
    }
    return sca_median(x, n);
}

/* Two-sided 95 % quantile of Student's t: Cornish-Fisher expansion, within 1 % from 4 degrees. */
static double student(double dof)
{
    double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * dof) + (5 * z5 + 16 * z3 + 3 * z) / (96 * dof * dof) +
           (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * dof * dof * dof);
}

struct sums {
    double x, y, xx, xy, yy;
    uint32_t n;
};

static struct sums centred_sums(const double *x, const double *y, uint32_t n)
{
    struct sums s = {0};
    for (uint32_t i = 0; i < n; i++)
        if (x[i] > 0 && y[i] > 0) {
            s.x += log(x[i]);
            s.y += log(y[i]);
            s.n++;
        }
    if (s.n) {
        s.x /= s.n;
        s.y /= s.n;
    }
    for (uint32_t i = 0; i < n; i++)
        if (x[i] > 0 && y[i] > 0) {
            double dx = log(x[i]) - s.x, dy = log(y[i]) - s.y;
            s.xx += dx * dx;
            s.xy += dx * dy;
            s.yy += dy * dy;
        }
    return s;
}

int sca_fit_loglog(const double *x, const double *y, uint32_t n, double noise, struct sca_fit *out)
{
    struct sums s = centred_sums(x, y, n);
    if (s.n < 2 || s.xx <= 0)
        return 0;
    double slope = s.xy / s.xx;
    double residual = fmax(0, s.yy - slope * s.xy);
    double dof = PRIOR_POINTS + s.n - 2;
    double error = sqrt((PRIOR_POINTS * noise * noise + residual) / dof / s.xx);
    *out = (struct sca_fit){.slope = slope, .intercept = s.y - slope * s.x, .n = s.n};
    out->middle = s.x;
    out->spread = s.xx;
    out->low = slope - student(dof) * error;
    out->high = slope + student(dof) * error;
    out->r2 = s.yy > 0 ? 1 - residual / s.yy : 1;
    return 1;
}

double sca_fit_at(const struct sca_fit *fit, double x)
{
    return exp(fit->intercept + fit->slope * log(x));
}

double sca_fit_error(const struct sca_fit *fit, double x)
{
    double half = (fit->high - fit->low) / 2, away = log(x) - fit->middle;
    return half * sqrt(fit->spread / fit->n + away * away);
}
