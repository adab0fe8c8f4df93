#include "apportion/other_rounds.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

struct rounds {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    const double *visits;
    const struct sca_typical *typical;
    struct sca_pool *pool;
    uint32_t *ends;  /* per vertex, the first after those below it */
    uint32_t *last;  /* per site: an interval that ends there, SCA_NONE: none; */
    uint32_t *other; /* per interval: another that ends where it does, SCA_NONE: that is all */
};

struct round {
    uint32_t interval; /* from round to round of a loop; SCA_NONE: there is none */
    uint32_t from, to; /* vertices [from, to): what it has in common with the one at hand */
    double weight;     /* that of usual ranks' samples, */
    double part;       /* so much of all in the round */
    double worth;      /* samples for a weight of 1 */
};

/* The vertices that an interval begins and ends at. */
static uint32_t before(const struct rounds *x, uint32_t interval)
{
    return x->run->site_vertex[sca_intervals_site(&x->run->intervals, interval)];
}

static uint32_t after(const struct rounds *x, uint32_t interval)
{
    uint32_t site = x->run->intervals.next[interval];
    return site == SCA_NONE ? SCA_NONE : x->run->site_vertex[site];
}

static bool is_in(const struct rounds *x, uint32_t vertex, uint32_t loop)
{
    return vertex != SCA_NONE && vertex >= loop && vertex < x->ends[loop];
}

/* The loop whose next round an interval leads to; SCA_NONE: it does not. */
static uint32_t loop_of(const struct rounds *x, uint32_t interval)
{
    uint32_t from = before(x, interval), to = after(x, interval);
    if (from == SCA_NONE || to == SCA_NONE || from < to)
        return SCA_NONE;
    uint32_t loop = sca_ppg_vertex_between(x->ppg, from, to);
    return x->ppg->vertices[loop].kind == SCA_LOOP ? loop : SCA_NONE;
}

/* Takes the round for the one that tells, if `outside`, the other end of the interval at hand, is
 * not in its loop. Of several the one of the outermost loop has most in common. */
static void take(const struct rounds *x, uint32_t interval, uint32_t outside, uint32_t *loop,
                 struct round *found)
{
    bool tells = x->pool->samples[interval] > 0 && x->visits[interval] > 0;
    uint32_t its = tells ? loop_of(x, interval) : SCA_NONE;
    if (its == SCA_NONE || is_in(x, outside, its) || (*loop != SCA_NONE && its >= *loop))
        return;
    *loop = its;
    found->interval = interval;
}

static bool is_common(const struct round *round, uint32_t vertex)
{
    return round->interval != SCA_NONE && vertex >= round->from && vertex < round->to;
}

/* Of the round's weights those in common. */
static void measure_common(const struct rounds *x, struct round *round)
{
    double all = 0, unusual = 0;
    for (size_t i = x->pool->first[round->interval]; i < x->pool->first[round->interval + 1]; i++) {
        const struct sca_pool_weight *w = &x->pool->weights[i];
        all += w->usual;
        unusual += w->unusual[SCA_SHORTER] + w->unusual[SCA_LONGER];
        round->weight += is_common(round, w->vertex) ? w->usual : 0;
    }
    round->part = all > 0 ? round->weight / all : 0;
    round->worth = x->pool->samples[round->interval] / (all + unusual);
}

/* Of the loop that an interval comes into. */
static struct round find_into(const struct rounds *x, uint32_t interval)
{
    struct round found = {.interval = SCA_NONE};
    uint32_t loop = SCA_NONE, from = before(x, interval);
    for (uint32_t k = x->last[x->run->intervals.next[interval]]; k != SCA_NONE; k = x->other[k])
        take(x, k, from, &loop, &found);
    if (loop == SCA_NONE)
        return found;
    found.from = loop;
    found.to = after(x, interval);
    measure_common(x, &found);
    return found;
}

/* Of the loop that it goes out of. */
static struct round find_out(const struct rounds *x, uint32_t interval)
{
    struct round found = {.interval = SCA_NONE};
    uint32_t loop = SCA_NONE, to = after(x, interval);
    const uint32_t *first =
        &x->run->intervals.first[sca_intervals_site(&x->run->intervals, interval)];
    for (uint32_t k = first[0]; k < first[1]; k++)
        take(x, k, to, &loop, &found);
    if (loop == SCA_NONE)
        return found;
    found.from = before(x, interval) + 1;
    found.to = x->ends[loop];
    measure_common(x, &found);
    return found;
}

/* The round's weights times this are the samples of as many rounds as there are visits of the
 * interval. */
static double scale_of(const struct rounds *x, const struct round *round, uint32_t interval)
{
    return round->interval == SCA_NONE
               ? 0
               : round->worth * x->visits[interval] / x->visits[round->interval];
}

/* The seconds of a visit that the code in common is expected to take. */
static double seconds_of(const struct rounds *x, const struct round *round)
{
    return round->interval == SCA_NONE ? 0 : x->typical->median[round->interval] * round->part;
}

/* `scale` times what the round has in common. */
static int give(const struct rounds *x, const struct round *round, uint32_t interval, double scale)
{
    int status = SCA_OK;
    if (round->interval == SCA_NONE)
        return SCA_OK;
    for (size_t i = x->pool->first[round->interval];
         !status && i < x->pool->first[round->interval + 1]; i++)
        if (is_common(round, x->pool->weights[i].vertex))
            status = sca_sample_pool_imagine(x->pool, interval, &x->pool->weights[i], scale);
    return status;
}

static bool is_rest(const struct round *into, const struct round *out, uint32_t vertex)
{
    return !is_common(into, vertex) && !is_common(out, vertex);
}

/* `rest` is expected at places that are in common with neither: as its own samples lie there, which
 * may be fewer, or, without any, at the structure around the interval. */
static int give_rest(const struct rounds *x, uint32_t interval, const struct round *into,
                     const struct round *out, double rest)
{
    const struct sca_pool_weight *first = x->pool->weights + x->pool->first[interval],
                                 *end = x->pool->weights + x->pool->first[interval + 1];
    const struct sca_pool_weight around = {
        .vertex = sca_ppg_vertex_between(x->ppg, before(x, interval), after(x, interval)),
        .usual = 1};
    double own = 0;
    int status = SCA_OK;
    for (const struct sca_pool_weight *w = first; w < end; w++)
        own += is_rest(into, out, w->vertex) ? w->usual : 0;
    if (own <= 0)
        return rest > 0 ? sca_sample_pool_imagine(x->pool, interval, &around, rest) : SCA_OK;
    for (const struct sca_pool_weight *w = first; !status && own < rest && w < end; w++)
        if (is_rest(into, out, w->vertex))
            status = sca_sample_pool_imagine(x->pool, interval, w, rest / own - 1);
    return status;
}

/* What the interval takes longer than the code in common has as much more of the weights. */
static int fill(const struct rounds *x, uint32_t interval, const struct round *into,
                const struct round *out)
{
    double seconds = seconds_of(x, into) + seconds_of(x, out);
    double of_into = scale_of(x, into, interval), of_out = scale_of(x, out, interval);
    double common = into->weight * of_into + out->weight * of_out;
    double longer = seconds > 0 ? fmax(0, x->typical->median[interval] / seconds - 1) : 0;
    int status = give(x, into, interval, of_into);
    if (!status)
        status = give(x, out, interval, of_out);
    return status ? status : give_rest(x, interval, into, out, common * longer);
}

static int fill_if_few(const struct rounds *x, uint32_t interval)
{
    if (after(x, interval) == SCA_NONE || x->visits[interval] <= 0 ||
        x->pool->samples[interval] >= SCA_ENOUGH_SAMPLES)
        return SCA_OK;
    struct round into = find_into(x, interval), out = find_out(x, interval);
    return fill(x, interval, &into, &out);
}

static void list_by_end(struct rounds *x)
{
    const struct sca_intervals *intervals = &x->run->intervals;
    for (uint32_t site = 0; site < intervals->nsites; site++)
        x->last[site] = SCA_NONE;
    for (uint32_t i = 0; i < intervals->n; i++) {
        uint32_t site = intervals->next[i];
        if (site == SCA_NONE)
            continue;
        x->other[i] = x->last[site];
        x->last[site] = i;
    }
}

static int fill_all(struct rounds *x)
{
    int status = SCA_OK;
    sca_ppg_ends(x->ppg, x->ends);
    list_by_end(x);
    for (uint32_t interval = 0; !status && interval < x->run->intervals.n; interval++)
        status = fill_if_few(x, interval);
    return status;
}

int sca_other_rounds_imagine(const struct sca_ppg *ppg, const struct sca_ppg_run *run,
                             const double *visits, const struct sca_typical *typical,
                             struct sca_pool *pool)
{
    struct rounds x = {ppg, run, visits, typical, pool, NULL, NULL, NULL};
    x.ends = calloc(ppg->nvertices + 1ul, sizeof *x.ends);
    x.last = calloc(run->intervals.nsites + 1ul, sizeof *x.last);
    x.other = calloc(run->intervals.n + 1ul, sizeof *x.other);
    int status = x.ends && x.last && x.other ? fill_all(&x) : SCA_ENOMEM;
    free(x.ends);
    free(x.last);
    free(x.other);
    return status ? status : sca_sample_pool_close(pool);
}
