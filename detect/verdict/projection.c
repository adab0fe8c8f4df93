#include "verdict/projection.h"

#include <math.h>

int sca_projection_fit(struct sca_workspace *space, const struct sca_measure *runs, uint32_t nruns,
                       const double *seconds, const double *rest, struct sca_projection *out)
{
    double *x = sca_workspace_alloc(space, nruns, sizeof *x), noise = 0;
    for (uint32_t i = 0; i < nruns; i++) {
        x[i] = runs[i].nranks;
        noise = fmax(noise, runs[i].noise_level);
    }
    return sca_fit_loglog(x, seconds, nruns, noise, &out->vertex) &&
           sca_fit_loglog(x, rest, nruns, noise, &out->rest);
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
