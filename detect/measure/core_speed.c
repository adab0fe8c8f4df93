#include "measure/core_speed.h"

#include "base/degrees.h"

#include <math.h>
#include <stdlib.h>

static bool inside(const struct sca_within *j, uint32_t v)
{
    for (uint32_t i = 0; i < j->nvertices; i++)
        if (v >= j->vertices[i] && v < j->ends[j->vertices[i]])
            return true;
    return false;
}

/* What is known of the rank outside by its own samples. */
static bool is_sampled(const struct sca_measure *m, uint32_t rank, const struct sca_within *judged)
{
    const struct sca_ppg_run *run = m->run;
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n];
    double samples = 0;
    for (uint32_t i = first[0]; i < first[run->intervals.n] && samples < SCA_ENOUGH_SAMPLES; i++)
        if (run->shares[i].samples > 0 && !inside(judged, run->shares[i].vertex))
            samples += (double)run->shares[i].samples;
    return samples >= SCA_ENOUGH_SAMPLES;
}

double sca_core_speed_factor(const struct sca_measure *m, uint32_t rank,
                             const struct sca_within *judged, struct sca_weighted *w)
{
    double total = 0;
    uint32_t n = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++) {
        double seconds = m->run->comp[(size_t)v * m->nranks + rank], median = m->median[v];
        if (seconds <= SCA_NO_TIME || median <= SCA_NO_TIME || inside(judged, v))
            continue;
        w[n++] = (struct sca_weighted){seconds / median, median};
        total += median;
    }
    if (total < SCA_LITTLE * m->rank_total[rank] || !is_sampled(m, rank, judged))
        return 0;
    return fmin(SCA_MOST_CORE_SPEED, fmax(1, sca_weighted_quantile(w, n, total, 0.5)));
}
