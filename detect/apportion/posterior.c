#include "apportion/posterior.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How often, before samples are seen, a rank whose time is far from the usual does what all do, all
 * of it slower or faster; of those that do not, how often what others of them do, if these say all;
 * and of the rest, how often something of its own. */
#define ALL_ALIKE 0.5
#define LIKEWISE  0.5
#define ITS_OWN   0.2
#define UNSEEN    0.4 /* or, beside that, what no sample fell on, where there are too few */
/* A relative difference that is as often chance as not. */
#define UNUSUAL 0.25
/* So many samples of others are imagined at places that may have been missed. */
#define IMAGINED 0.5
/* So many samples of other unusual ranks say as much as is known without. */
#define ENOUGH 8.0
#define FEW    16.0
#define RARE   0.02
/* Times that differ by less need no explanation. */
#define SAME 0.02

enum { MOST_DEVIANTS = 3, MOST_AROUND = 4, MOST_GUESSES = MOST_DEVIANTS * MOST_AROUND + 4 };

/* Places [from, to) of the interval take what others' do not explain; none: all alike. Or as the
 * unusual ranks do. Or the usual is as usual, and the rest is not seen. */
struct guess {
    size_t from, to;
    bool likewise, unseen;
    double alike, prior, likelihood;
};

struct sca_divider {
    const struct sca_pool *pool;
    const struct sca_ppg_vertex *vertices;
    uint32_t *ends; /* per vertex, the first after those below it */
    double *own, *usual, *likewise, *part, *guessed; /* per place of the interval at hand */
    size_t first, count;
    double samples, ratio; /* usual seconds over the rank's */
    double said;           /* by other unusual ranks about this one, 0 to 1 */
    double missed;         /* log of how much likelier so few samples are if they missed the
                              excess; 0: no less than others have */
    double worth, unseen;
    struct guess guess[MOST_GUESSES];
    unsigned nguesses;
};

static size_t most_places(const struct sca_pool *pool)
{
    size_t most = 1;
    for (uint32_t s = 0; s < pool->nintervals; s++)
        if (pool->first[s + 1] - pool->first[s] > most)
            most = pool->first[s + 1] - pool->first[s];
    return most;
}

struct sca_divider *sca_posterior_open(const struct sca_pool *pool, const struct sca_ppg *ppg)
{
    struct sca_divider *d = calloc(1, sizeof *d);
    size_t most = most_places(pool);
    if (!d)
        return NULL;
    *d = (struct sca_divider){.pool = pool, .vertices = ppg->vertices};
    d->own = calloc(5 * most, sizeof *d->own);
    d->ends = calloc(ppg->nvertices, sizeof *d->ends);
    if (!d->own || !d->ends) {
        sca_posterior_close(d);
        return NULL;
    }
    d->usual = d->own + most;
    d->part = d->own + 2 * most;
    d->guessed = d->own + 3 * most;
    d->likewise = d->own + 4 * most;
    sca_ppg_ends(ppg, d->ends);
    return d;
}

void sca_posterior_close(struct sca_divider *d)
{
    if (d) {
        free(d->own);
        free(d->ends);
    }
    free(d);
}

static double sum(const double *list, size_t from, size_t to)
{
    double total = 0;
    for (size_t i = from; i < to; i++)
        total += list[i];
    return total;
}

static void scale(double *list, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++)
        list[i] *= factor;
}

/* Counts of places become parts, which places that may have been missed share in. */
static void make_parts(const struct sca_divider *d, double *list)
{
    for (size_t i = 0; i < d->count; i++)
        list[i] += IMAGINED / (double)d->count;
    scale(list, d->count, 1 / sum(list, 0, d->count));
}

/* Samples that are off their time by so many standard deviations did not come one by one. */
#define IN_CLUMPS 3.0
/* As many as come together, mostly. */
#define CLUMP 3.0

/* As many independent samples as are off by as much as these (their number's relative variance is
 * one over it), where that is too much for chance. */
static double worth(const struct sca_stretch *s, double samples)
{
    double off = s->expected > 0 ? samples / s->expected - 1 : 0;
    bool clumped = off * off * s->expected > IN_CLUMPS * IN_CLUMPS && off * off * samples > 1;
    return clumped ? 1 / (off * off * samples) : 1;
}

/* The ratio of two Poisson likelihoods: of what all brings but for the part that is not seen, and
 * of what all does. */
static double too_few(double samples, double expected, double unseen)
{
    return expected > unseen
               ? unseen + (samples > 0 ? samples * log((expected - unseen) / expected) : 0)
               : 0;
}

/* Of clumps; that those after the same call say, too. */
static double missed(const struct sca_stretch *s, double samples, double ratio, double worth)
{
    double unseen = s->expected * (1 - ratio);
    double more =
        fmin(too_few(samples, s->expected, unseen), too_few(s->all, s->all_expected, unseen));
    return ratio > 0 && ratio < 1 ? fmax(0, more * fmin(1 / CLUMP, worth)) : 0;
}

/* The rank's samples by place, and what the others' say: without its own, if there are others. */
static void look(struct sca_divider *d, const struct sca_stretch *s)
{
    const struct sca_pool_weight *pool = d->pool->weights + d->first;
    int kind = s->unusual > 0 ? SCA_LONGER : SCA_SHORTER;
    d->samples = sca_sample_pool_sum(s->own, 0, s->nown);
    double each = sca_sample_pool_scale(d->samples), unusual = fabs(s->unusual);
    for (size_t i = 0, o = 0; i < d->count; i++) {
        bool seen = o < s->nown && s->own[o].vertex == pool[i].vertex;
        d->own[i] = seen ? s->own[o++].count : 0;
        d->usual[i] = fmax(0, pool[i].usual - each * (1 - unusual) * d->own[i]);
        d->likewise[i] = fmax(0, pool[i].unusual[kind] - each * d->own[i]);
    }
    double others = sum(d->likewise, 0, d->count);
    d->said = sca_sample_pool_is_usual(s->unusual) ? 0 : others / (others + ENOUGH);
    if (sum(d->usual, 0, d->count) < IMAGINED)
        for (size_t i = 0; i < d->count; i++)
            d->usual[i] = pool[i].usual + pool[i].unusual[kind];
    make_parts(d, d->usual);
    make_parts(d, d->likewise);
    d->ratio = s->usual > 0 ? s->usual / s->seconds : 1;
    d->worth = worth(s, d->samples);
    d->missed = missed(s, d->samples, d->ratio, d->worth);
    scale(d->own, d->count, d->worth);
    d->samples = sum(d->own, 0, d->count);
}

/* The parts that a guess foretells. */
static void foretell(struct sca_divider *d, const struct guess *g)
{
    if (g->likewise) {
        memcpy(d->guessed, d->likewise, d->count * sizeof *d->guessed);
        return;
    }
    double inside = sum(d->usual, g->from, g->to);
    double outside = g->to > g->from ? d->ratio : 1;
    double rest = 1 - (1 - inside) * outside;
    for (size_t i = 0; i < d->count; i++) {
        bool in = i >= g->from && i < g->to;
        d->guessed[i] = d->usual[i] * (in ? rest / inside : outside);
    }
}

/* Of the samples: Dirichlet-multinomial, without what is the same for all guesses. */
static double likelihood(const struct sca_divider *d, double alike)
{
    double log = lgamma(alike) - lgamma(d->samples + alike);
    for (size_t i = 0; i < d->count; i++)
        if (d->own[i] > 0)
            log += lgamma(d->own[i] + alike * d->guessed[i]) - lgamma(alike * d->guessed[i]);
    return log;
}

static void guess_likewise(struct sca_divider *d, double alike, double prior)
{
    struct guess *g = &d->guess[d->nguesses++];
    *g = (struct guess){.likewise = true, .alike = alike, .prior = prior};
    foretell(d, g);
    g->likelihood = likelihood(d, alike);
}

static bool is_known(const struct sca_divider *d, size_t from, size_t to)
{
    for (unsigned i = 0; i < d->nguesses; i++)
        if (!d->guess[i].likewise && d->guess[i].from == from && d->guess[i].to == to)
            return true;
    return false;
}

static void guess(struct sca_divider *d, size_t from, size_t to, double alike, double prior)
{
    struct guess *g = &d->guess[d->nguesses];
    double outside = to > from ? 1 - sum(d->usual, from, to) : 0;
    *g = (struct guess){.from = from, .to = to, .alike = alike, .prior = prior};
    if (outside * d->ratio >= 1)
        return;
    foretell(d, g);
    g->likelihood = likelihood(d, alike);
    d->nguesses++;
}

/* What is seen says nothing of it but by being too little. That there is work of its own, each
 * sample says; samples in clumps only say less well how much. */
static void guess_unseen(struct sca_divider *d, double alike, double prior)
{
    double best = -INFINITY;
    for (unsigned i = 0; i < d->nguesses; i++)
        best = fmax(best, d->guess[i].likelihood);
    struct guess *g = &d->guess[d->nguesses];
    guess(d, 0, 0, alike, prior);
    g->unseen = true;
    g->likelihood = best + (g->likelihood - best) / d->worth + d->missed;
}

static void guess_once(struct sca_divider *d, size_t from, size_t to, double alike)
{
    if (!is_known(d, from, to) && d->nguesses < MOST_GUESSES - 1)
        guess(d, from, to, alike, 1);
}

/* A vertex alone, and it and those around it with all below, as long as that is not everything. */
static void guess_around(struct sca_divider *d, size_t place, double alike)
{
    const struct sca_pool_weight *pool = d->pool->weights + d->first;
    uint32_t v = pool[place].vertex;
    size_t from = place, to = place + 1;
    guess_once(d, from, to, alike);
    for (unsigned around = 0; around < MOST_AROUND && v; v = d->vertices[v].parent) {
        size_t width = to - from;
        while (from > 0 && pool[from - 1].vertex >= v)
            from--;
        while (to < d->count && pool[to].vertex < d->ends[v])
            to++;
        if (to - from == d->count)
            return;
        around += to - from > width;
        guess_once(d, from, to, alike);
    }
}

/* How much more, or less where all is less, a place has than others have. */
static double deviation(const struct sca_divider *d, size_t i)
{
    double more = d->own[i] / d->samples - d->usual[i] * d->ratio;
    return d->ratio < 1 ? more : -more;
}

/* Those that differ most: guesses for them and around them. */
static void guess_deviants(struct sca_divider *d, double alike)
{
    double before = INFINITY;
    for (int k = 0; k < MOST_DEVIANTS; k++) {
        size_t most = d->count;
        for (size_t i = 0; i < d->count; i++)
            if (deviation(d, i) < before && deviation(d, i) > 0 &&
                (most == d->count || deviation(d, i) > deviation(d, most)))
                most = i;
        if (most == d->count)
            return;
        before = deviation(d, most);
        guess_around(d, most, alike);
    }
}

/* Who needs the usual time most likely does the usual. */
static double odds_of_difference(const struct sca_divider *d)
{
    double off = (1 / d->ratio - 1) / UNUSUAL;
    return (1 - ALL_ALIKE) * off * off / (1 + off * off);
}

/* What other unusual ranks do says more about an unusual one than what usual ones do. */
static void make_guesses(struct sca_divider *d, uint32_t interval)
{
    double alike = d->pool->alike[interval], differs = odds_of_difference(d);
    double slower = (1 - differs) * (1 - d->said), rest = differs * (1 - LIKEWISE * d->said);
    d->nguesses = 0;
    guess(d, 0, 0, alike, slower);
    guess(d, 0, 0, 1, fmax(1e-3, rest) * ITS_OWN);
    if (d->said > 0)
        guess_likewise(d, alike, 1 - slower - rest);
    unsigned before = d->nguesses;
    if (fabs(d->ratio - 1) > SAME && d->count > 1 && d->samples > 0)
        guess_deviants(d, alike);
    for (unsigned i = before; i < d->nguesses; i++)
        d->guess[i].prior = rest * (1 - ITS_OWN) / (d->nguesses - before);
    if (d->missed > 0)
        guess_unseen(d, alike, fmax(1e-3, rest) * UNSEEN);
}

static void guess_plainly(struct sca_divider *d, uint32_t interval)
{
    d->guess[0] = (struct guess){.alike = d->pool->alike[interval], .prior = 1};
    d->nguesses = 1;
}

/* Few samples of a rank that takes the usual time say nothing against its doing the usual. */
static bool is_plain(const struct sca_divider *d)
{
    return d->samples < FEW && odds_of_difference(d) < RARE;
}

/* Each guess says what the parts are in the light of the samples; weighed by what it foretold. */
static void average(struct sca_divider *d)
{
    double best = -INFINITY, all = 0;
    for (unsigned i = 0; i < d->nguesses; i++)
        best = fmax(best, d->guess[i].likelihood);
    for (size_t i = 0; i < d->count; i++)
        d->part[i] = 0;
    d->unseen = 0;
    for (unsigned k = 0; k < d->nguesses; k++) {
        const struct guess *g = &d->guess[k];
        double weight = g->prior * exp(g->likelihood - best), seen = g->unseen ? d->ratio : 1;
        foretell(d, g);
        for (size_t i = 0; i < d->count; i++)
            d->part[i] +=
                weight * seen * (d->own[i] + g->alike * d->guessed[i]) / (d->samples + g->alike);
        d->unseen += weight * (1 - seen);
        all += weight;
    }
    scale(d->part, d->count, 1 / all);
    d->unseen /= all;
}

struct sca_division sca_posterior_divide(struct sca_divider *d, const struct sca_stretch *s)
{
    d->first = d->pool->first[s->interval];
    d->count = d->pool->first[s->interval + 1] - d->first;
    look(d, s);
    if (is_plain(d))
        guess_plainly(d, s->interval);
    else
        make_guesses(d, s->interval);
    average(d);
    return (struct sca_division){d->part, d->unseen};
}
