#include "stats/fit.h"

#include "base/degrees.h"

#include <math.h>

/* Two-sided 95 % quantile of Student's t: Cornish-Fisher expansion, within 1 % from 4 degrees. */
static double student(double dof)
{
    double z = SCA_TWO_SIGMAS, z3 = z * z * z, z5 = z3 * z * z;
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
    /* the noise is worth several points */
    double dof = SCA_SEVERAL + s.n - 2;
    double of_point = sqrt((SCA_SEVERAL * noise * noise + residual) / dof);
    double error = of_point / sqrt(s.xx);
    *out = (struct sca_fit){.slope = slope, .intercept = s.y - slope * s.x, .n = s.n};
    out->middle = s.x;
    out->spread = s.xx;
    out->low = slope - student(dof) * error;
    out->high = slope + student(dof) * error;
    out->more_noise = noise > 0 ? student(dof) / SCA_TWO_SIGMAS * of_point / noise : 1;
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
