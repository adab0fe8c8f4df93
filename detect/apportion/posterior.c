#include "apportion/posterior.h"
#include "base/degrees.h"
#include "apportion/guesses.h"
#include "apportion/candidates.h"

#include <math.h>
#include <stdlib.h>

struct sca_divider {
    struct sca_guesses now;           /* of the interval at hand */
    struct sca_candidates candidates; /* of the rank at hand, */
    bool slower;                      /* which is slower than others, not faster */
    double *part;                     /* what sca_posterior_divide() returns */
};

struct sca_divider *sca_posterior_open(const struct sca_pool *pool, const struct sca_ppg *ppg)
{
    struct sca_divider *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    bool opened = !sca_candidates_open(&d->candidates, ppg) &&
                  !sca_guesses_open(&d->now, pool, ppg, &d->candidates);
    d->part = opened ? calloc(sca_guesses_most_places(pool), sizeof *d->part) : NULL;
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
        sca_candidates_close(&d->candidates);
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

/* What the samples say for a place that is guessed, against all alike: the first guess. */
static double evidence(const struct sca_divider *d, const struct sca_guess *g)
{
    return g->likelihood - d->now.guess[0].likelihood;
}

/* Whether no other guess of the same place foretells the samples better. */
static bool is_best_of_place(const struct sca_divider *d, unsigned g)
{
    const uint32_t *place = d->candidates.place;
    for (unsigned i = 0; i < d->now.n; i++) {
        double more = d->now.guess[i].likelihood - d->now.guess[g].likelihood;
        if (i != g && d->now.guess[i].vertex != SCA_NONE && (i < g ? more >= 0 : more > 0) &&
            place[d->now.guess[i].vertex] == place[d->now.guess[g].vertex])
            return false;
    }
    return true;
}

/* Which of the rank's reasons a guess is: 0 for the first, that all is as slow; below 0: none. */
static int reason_of(const struct sca_divider *d, unsigned g)
{
    if (g == 0)
        return 0;
    uint32_t v = d->now.guess[g].vertex;
    uint32_t reason = v == SCA_NONE ? 0 : sca_candidates_reason(&d->candidates, v);
    return reason && is_best_of_place(d, g) ? (int)reason : -1;
}

/* Of an interval in which the rank is not slower, when it is the other way round in others, a
 * reason for that is none. */
static struct sca_interval_evidence evidence_of(const struct sca_divider *d)
{
    struct sca_interval_evidence e = {0};
    double prior = 0, best = best_likelihood(d);
    for (uint32_t z = 0; z < SCA_REASONS; z++)
        e.reason[z] = -1;
    for (unsigned g = 0; g < d->now.n; g++) {
        double likely = exp(d->now.guess[g].likelihood - best);
        int reason = reason_of(d, g);
        prior += d->now.guess[g].prior;
        e.own += d->now.guess[g].prior * likely;
        if (reason >= 0 && (d->now.ratio < 1) == d->slower)
            e.reason[reason] = likely;
    }
    e.own /= prior;
    return e;
}

static void hear(struct sca_divider *d)
{
    for (unsigned g = 0; g < d->now.n; g++)
        if (d->now.guess[g].vertex != SCA_NONE && is_best_of_place(d, g))
            sca_candidates_hear(&d->candidates, d->now.guess[g].vertex,
                                evidence(d, &d->now.guess[g]));
}

/* Whether a core is slow, other code tells. How likely that is before any samples: of all that the
 * rank takes too long, or not long enough. */
static double slow_core(const struct sca_segment *odd, size_t n, double pace)
{
    double excess = 0, slow = 0;
    for (size_t i = 0; i < n; i++) {
        double more = fabs(odd[i].seconds - odd[i].usual);
        double off = (odd[i].seconds / (odd[i].usual * pace) - 1) / SCA_QUARTER;
        excess += more;
        slow += more / (1 + off * off);
    }
    return SCA_EVEN_ODDS * (excess > 0 ? slow / excess : 1);
}

bool sca_posterior_study(struct sca_divider *d, const struct sca_segment *odd, size_t n)
{
    double more = 0;
    sca_candidates_clear(&d->candidates);
    for (size_t i = 0; i < n; i++)
        more += odd[i].seconds - odd[i].usual;
    d->slower = more > 0;
    for (size_t i = 0; i < n && n > 1; i++)
        if (odd[i].nown && sca_guesses_make(&d->now, &odd[i]) && (d->now.ratio < 1) == d->slower)
            hear(d);
    return sca_candidates_choose(&d->candidates);
}

void sca_posterior_weigh(struct sca_divider *d, const struct sca_segment *odd, size_t n,
                         double pace)
{
    sca_candidates_begin(&d->candidates, slow_core(odd, n, pace));
    for (size_t i = 0; i < n; i++)
        if (odd[i].nown && sca_guesses_make(&d->now, &odd[i])) {
            struct sca_interval_evidence e = evidence_of(d);
            sca_candidates_weigh(&d->candidates, &e);
        }
    sca_candidates_settle(&d->candidates);
}

/* Either the interval has the reason that others have, or one of its own. */
static void ask_others(struct sca_divider *d)
{
    double reasons[SCA_REASONS], prior = 0;
    struct sca_interval_evidence e = evidence_of(d);
    double own = sca_candidates_prior(&d->candidates, &e, reasons);
    for (unsigned g = 0; g < d->now.n; g++)
        prior += d->now.guess[g].prior;
    for (unsigned g = 0; g < d->now.n; g++) {
        int reason = reason_of(d, g);
        d->now.guess[g].prior *= own / prior;
        d->now.guess[g].prior += reason >= 0 ? reasons[reason] : 0;
    }
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
    if (sca_guesses_make(&d->now, s) && d->candidates.n)
        ask_others(d);
    average(d);
    return d->part;
}
