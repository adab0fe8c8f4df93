#include "apportion/guesses.h"
#include "base/degrees.h"
#include "graph/same_place.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t sca_guesses_most_places(const struct sca_pool *pool)
{
    size_t most = 1;
    for (uint32_t s = 0; s < pool->nintervals; s++)
        if (pool->first[s + 1] - pool->first[s] > most)
            most = pool->first[s + 1] - pool->first[s];
    return most;
}

static double weight_of(const struct sca_pool_weight *w)
{
    return w->usual + w->unusual[SCA_SHORTER] + w->unusual[SCA_LONGER];
}

/* Places that may have been missed: half as samples of the same places in the source lie in all
 * intervals, the rest at all places alike. */
static void find_elsewhere(struct sca_guesses *d, double *by_place)
{
    const struct sca_pool *pool = d->pool;
    const uint32_t *place = d->place;
    for (size_t i = 0; i < pool->first[pool->nintervals]; i++)
        by_place[place[pool->weights[i].vertex]] += weight_of(&pool->weights[i]);
    for (uint32_t interval = 0; interval < pool->nintervals; interval++) {
        size_t first = pool->first[interval], end = pool->first[interval + 1];
        double all = 0;
        for (size_t i = first; i < end; i++)
            all += by_place[place[pool->weights[i].vertex]];
        for (size_t i = first; i < end; i++)
            d->elsewhere[i] = (1 - SCA_EVEN_ODDS) / (double)(end - first) +
                              SCA_EVEN_ODDS * by_place[place[pool->weights[i].vertex]] / all;
    }
}

static int open_elsewhere(struct sca_guesses *d, uint32_t nvertices)
{
    double *by_place = calloc(nvertices, sizeof *by_place);
    d->elsewhere = calloc(d->pool->first[d->pool->nintervals] + 1, sizeof *d->elsewhere);
    if (by_place && d->elsewhere)
        find_elsewhere(d, by_place);
    free(by_place);
    return by_place && d->elsewhere ? SCA_OK : SCA_ENOMEM;
}

/* `ends` is not needed before. */
static int open_places(struct sca_guesses *d, const struct sca_ppg *ppg)
{
    d->place = calloc(ppg->nvertices, sizeof *d->place);
    d->ends = calloc(ppg->nvertices, sizeof *d->ends);
    if (!d->place || !d->ends)
        return SCA_ENOMEM;
    sca_same_place_fill(ppg, d->ends, d->place);
    sca_ppg_ends(ppg, d->ends);
    return open_elsewhere(d, ppg->nvertices);
}

int sca_guesses_open(struct sca_guesses *d, const struct sca_pool *pool, const struct sca_ppg *ppg)
{
    size_t most = sca_guesses_most_places(pool);
    *d = (struct sca_guesses){.pool = pool, .vertices = ppg->vertices};
    d->own = calloc(4 * most, sizeof *d->own);
    d->in = calloc(SCA_MOST_GUESSES * most, sizeof *d->in);
    d->most = most;
    if (!d->own || !d->in || open_places(d, ppg))
        return SCA_ENOMEM;
    d->usual = d->own + most;
    d->guessed = d->own + 2 * most;
    d->likewise = d->own + 3 * most;
    return SCA_OK;
}

void sca_guesses_close(struct sca_guesses *d)
{
    free(d->own);
    free(d->in);
    free(d->place);
    free(d->ends);
    free(d->elsewhere);
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
static void make_parts(const struct sca_guesses *d, double *list)
{
    for (size_t i = 0; i < d->count; i++)
        list[i] += SCA_JEFFREYS * d->elsewhere[d->first + i];
    scale(list, d->count, 1 / sum(list, 0, d->count));
}

/* The rank's samples by place, and what the others' say: without its own, if there are others. */
static void look(struct sca_guesses *d, const struct sca_segment *s)
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
    d->said = sca_sample_pool_is_usual(s->unusual) ? 0 : others / (others + SCA_ENOUGH_SAMPLES);
    if (sum(d->usual, 0, d->count) < SCA_JEFFREYS)
        for (size_t i = 0; i < d->count; i++)
            d->usual[i] = pool[i].usual + pool[i].unusual[kind];
    make_parts(d, d->usual);
    make_parts(d, d->likewise);
    d->ratio = s->usual > 0 ? s->usual / s->seconds : 1;
}

/* Of the usual parts, those that a guess is about. */
static double inside_of(const struct sca_guesses *d, const bool *in)
{
    double inside = 0;
    for (size_t i = 0; i < d->count; i++)
        inside += in[i] ? d->usual[i] : 0;
    return inside;
}

/* The parts that a guess foretells. */
void sca_guesses_foretell(struct sca_guesses *d, const struct sca_guess *g)
{
    if (g->likewise) {
        memcpy(d->guessed, d->likewise, d->count * sizeof *d->guessed);
        return;
    }
    if (!g->in) {
        memcpy(d->guessed, d->usual, d->count * sizeof *d->guessed);
        return;
    }
    double inside = inside_of(d, g->in), rest = 1 - (1 - inside) * d->ratio;
    for (size_t i = 0; i < d->count; i++)
        d->guessed[i] = d->usual[i] * (g->in[i] ? rest / inside : d->ratio);
}

static double common_part(struct sca_guesses *d, double alike)
{
    if (d->last.alike != alike || d->last.samples != d->samples) {
        d->last.alike = alike;
        d->last.samples = d->samples;
        d->last.log = lgamma(alike) - lgamma(d->samples + alike);
    }
    return d->last.log;
}

/* Of the samples: Dirichlet-multinomial, without what is the same for all guesses. */
static double likelihood(struct sca_guesses *d, double alike)
{
    double log = common_part(d, alike);
    for (size_t i = 0; i < d->count; i++)
        if (d->own[i] > 0)
            log += lgamma(d->own[i] + alike * d->guessed[i]) - lgamma(alike * d->guessed[i]);
    return log;
}

static void guess_likewise(struct sca_guesses *d, double alike, double prior)
{
    struct sca_guess *g = &d->guess[d->n++];
    *g = (struct sca_guess){.vertex = SCA_NONE, .likewise = true, .alike = alike, .prior = prior};
    sca_guesses_foretell(d, g);
    g->likelihood = likelihood(d, alike);
}

/* Of the next guess. */
static bool *next_in(struct sca_guesses *d)
{
    return d->in + d->n * d->most;
}

static bool is_known(const struct sca_guesses *d, const bool *in)
{
    for (unsigned i = 0; i < d->n; i++)
        if (d->guess[i].in && !memcmp(d->guess[i].in, in, d->count * sizeof *in))
            return true;
    return false;
}

static void guess(struct sca_guesses *d, const bool *in, double alike, double prior,
                  uint32_t vertex)
{
    struct sca_guess *g = &d->guess[d->n];
    *g = (struct sca_guess){in, vertex, .alike = alike, .prior = prior};
    if (in && (1 - inside_of(d, in)) * d->ratio >= 1)
        return;
    sca_guesses_foretell(d, g);
    g->likelihood = likelihood(d, alike);
    d->n++;
}

/* What next_in() has. False: that is everything. */
static bool guess_once(struct sca_guesses *d, double alike, uint32_t vertex)
{
    const bool *in = next_in(d);
    if (!memchr(in, false, d->count))
        return false;
    if (!is_known(d, in))
        guess(d, in, alike, 1, vertex);
    return true;
}

/* The places of the interval that lie in the vertex. False: all do, or there are enough guesses. */
static bool guess_vertex(struct sca_guesses *d, double alike, uint32_t vertex)
{
    const struct sca_pool_weight *pool = d->pool->weights + d->first;
    if (d->n == SCA_MOST_GUESSES)
        return false;
    for (size_t i = 0; i < d->count; i++)
        next_in(d)[i] = pool[i].vertex >= vertex && pool[i].vertex < d->ends[vertex];
    return guess_once(d, alike, vertex);
}

/* A vertex alone, and it and those around it with all below, as long as that is not everything. */
static void guess_around(struct sca_guesses *d, size_t at, double alike)
{
    uint32_t v = d->pool->weights[d->first + at].vertex;
    if (d->n == SCA_MOST_GUESSES)
        return;
    memset(next_in(d), 0, d->count * sizeof(bool));
    next_in(d)[at] = true;
    (void)guess_once(d, alike, v);
    for (unsigned n = d->n, around = 0; around < SCA_MOST_AROUND && v; v = d->vertices[v].parent) {
        if (!guess_vertex(d, alike, v))
            return;
        around += d->n > n;
        n = d->n;
    }
}

/* How much more, or less where all is less, a place has than others have. */
static double deviation(const struct sca_guesses *d, size_t i)
{
    double more = d->own[i] / d->samples - d->usual[i] * d->ratio;
    return d->ratio < 1 ? more : -more;
}

/* The next one after place `last`: it differs less, or as much and stands behind it. */
static bool comes_after(const struct sca_guesses *d, size_t i, size_t last)
{
    if (last == d->count) /* the first one */
        return true;
    double mine = deviation(d, i), of_last = deviation(d, last);
    return mine < of_last || (!(mine > of_last) && i > last);
}

/* Those that differ most: guesses for them and around them. */
static void guess_deviants(struct sca_guesses *d, double alike)
{
    size_t last = d->count;
    for (int k = 0; k < SCA_MOST_DEVIANTS; k++) {
        size_t most = d->count;
        for (size_t i = 0; i < d->count; i++)
            if (comes_after(d, i, last) && deviation(d, i) > 0 &&
                (most == d->count || deviation(d, i) > deviation(d, most)))
                most = i;
        if (most == d->count)
            return;
        guess_around(d, most, alike);
        last = most;
    }
}

/* Who needs the usual time most likely does the usual. */
static double odds_of_difference(double ratio)
{
    double off = (1 / ratio - 1) / SCA_QUARTER;
    return (1 - SCA_EVEN_ODDS) * off * off / (1 + off * off);
}

/* What other unusual ranks do says more about an unusual one than what usual ones do. Nothing is
 * out of the question: a usual one does something else as often as there may be false alarms. */
static void make_guesses(struct sca_guesses *d, uint32_t interval)
{
    double alike = d->pool->alike[interval], differs = odds_of_difference(d->ratio);
    double slower = (1 - differs) * (1 - d->said), rest = differs * (1 - SCA_EVEN_ODDS * d->said);
    double own = fmax(SCA_FALSE_ALARMS, rest);
    d->n = 0;
    guess(d, NULL, alike, slower, SCA_NONE);
    guess(d, NULL, 1, own * SCA_SUBSTANTIAL, SCA_NONE);
    if (d->said > 0)
        guess_likewise(d, alike, 1 - slower - rest);
    unsigned before = d->n;
    if (fabs(d->ratio - 1) > SCA_EQUAL_RANKS && d->count > 1 && d->samples > 0)
        guess_deviants(d, alike);
    for (unsigned i = before; i < d->n; i++)
        d->guess[i].prior = rest * (1 - SCA_SUBSTANTIAL) / (d->n - before);
    if (d->count == 1) /* that its only place has more to do is the first guess */
        d->guess[0].prior += rest * (1 - SCA_SUBSTANTIAL);
}

/* Few samples of a rank that takes the usual time say nothing against its doing the usual. */
static bool is_plain(const struct sca_guesses *d)
{
    return d->samples < SCA_ENOUGH_SAMPLES && odds_of_difference(d->ratio) < SCA_UNLIKELY;
}

static void guess_plainly(struct sca_guesses *d, uint32_t interval)
{
    d->guess[0] =
        (struct sca_guess){.vertex = SCA_NONE, .alike = d->pool->alike[interval], .prior = 1};
    d->n = 1;
}

void sca_guesses_make(struct sca_guesses *d, const struct sca_segment *s)
{
    d->first = d->pool->first[s->interval];
    d->count = d->pool->first[s->interval + 1] - d->first;
    look(d, s);
    if (is_plain(d))
        guess_plainly(d, s->interval);
    else
        make_guesses(d, s->interval);
}
