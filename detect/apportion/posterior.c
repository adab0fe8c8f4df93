#include "apportion/posterior.h"
#include "apportion/guesses.h"

#include <math.h>
#include <stdlib.h>

struct sca_divider {
    struct sca_guesses now; /* of the interval at hand */
    double *part;           /* what sca_posterior_divide() returns */
};

struct sca_divider *sca_posterior_open(const struct sca_pool *pool, const struct sca_ppg *ppg)
{
    struct sca_divider *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    if (!sca_guesses_open(&d->now, pool, ppg))
        d->part = calloc(sca_guesses_most_places(pool), sizeof *d->part);
    if (!d->part) {
        sca_posterior_close(d);
        return NULL;
    }
    return d;
}

void sca_posterior_close(struct sca_divider *d)
{
    if (d) {
        sca_guesses_close(&d->now);
        free(d->part);
    }
    free(d);
}

static double best_likelihood(const struct sca_divider *d)
{
    double best = -INFINITY;
    for (unsigned i = 0; i < d->now.n; i++)
        best = fmax(best, d->now.guess[i].likelihood);
    return best;
}

/* Each guess says what the parts are in the light of the samples; weighed by what it foretold. */
static void average(struct sca_divider *d)
{
    double best = best_likelihood(d), all = 0;
    for (size_t i = 0; i < d->now.count; i++)
        d->part[i] = 0;
    for (unsigned k = 0; k < d->now.n; k++) {
        const struct sca_guess *g = &d->now.guess[k];
        double weight = g->prior * exp(g->likelihood - best);
        sca_guesses_foretell(&d->now, g);
        for (size_t i = 0; i < d->now.count; i++)
            d->part[i] += weight * (d->now.own[i] + g->alike * d->now.guessed[i]) /
                          (d->now.samples + g->alike);
        all += weight;
    }
    for (size_t i = 0; i < d->now.count; i++)
        d->part[i] /= all;
}

const double *sca_posterior_divide(struct sca_divider *d, const struct sca_segment *s)
{
    sca_guesses_make(&d->now, s);
    average(d);
    return d->part;
}
