#include "verdict/projection.h"

#include <math.h>

/* The line of the exponent that is told, with its interval, through the middle of these points:
 * what is forecast, and how surely, follows from what is said of its growth. */
static void go_with(struct sca_fit *line, const struct sca_fit *told)
{
    double at_middle = line->intercept + line->slope * line->middle;
    line->slope = told->slope + 1; /* of all ranks together */
    line->low = told->low + 1;
    line->high = told->high + 1;
    line->intercept = at_middle - line->slope * line->middle;
}

static uint32_t count_sizes(const struct sca_measure *runs, uint32_t nruns)
{
    uint32_t sizes = 0;
    for (uint32_t i = 0; i < nruns; i++)
        sizes += i == 0 || runs[i].nranks != runs[i - 1].nranks;
    return sizes;
}

int sca_projection_fit(struct sca_workspace *space, const struct sca_measure *runs, uint32_t nruns,
                       const double *seconds, const double *rest, const struct sca_fit *told,
                       struct sca_projection *out)
{
    double *x = sca_workspace_alloc(space, nruns, sizeof *x), noise = 0;
    for (uint32_t i = 0; i < nruns; i++) {
        x[i] = runs[i].nranks;
        noise = fmax(noise, runs[i].noise_level);
    }
    if (count_sizes(runs, nruns) < SCA_PROJECTION_SIZES ||
        !sca_fit_loglog(x, seconds, nruns, noise, &out->vertex) ||
        !sca_fit_loglog(x, rest, nruns, noise, &out->rest))
        return 0;
    go_with(&out->vertex, told);
    return 1;
}

static double share_of(double log_odds)
{
    return 1 / (1 + exp(-log_odds));
}

double sca_projection_share(const struct sca_projection *p, double ranks, double interval[2])
{
    double odds = log(sca_fit_at(&p->vertex, ranks)) - log(sca_fit_at(&p->rest, ranks));
    double error = hypot(sca_fit_error(&p->vertex, ranks), sca_fit_error(&p->rest, ranks));
    interval[0] = share_of(odds - error);
    interval[1] = share_of(odds + error);
    return share_of(odds);
}
