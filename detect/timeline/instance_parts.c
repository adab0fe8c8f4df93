#include "base/degrees.h"
#include "timeline/by_length.h"

#include <math.h>

struct dividing_instance {
    struct sca_by_length *of;
    uint32_t first, end; /* its shares */
    double mean, seconds;
    struct sca_rare_length rare;
};

static double sum_of(const struct dividing_instance *d, bool rare)
{
    double sum = 0;
    for (uint32_t k = d->first; k < d->end; k++)
        sum += d->of->rare[k] == rare ? d->of->run->shares[k].seconds : 0;
    return sum;
}

/* Rare contexts have what is beyond the usual; a short instance has none of them. */
static void divide_rare(const struct dividing_instance *d)
{
    double usual = d->mean * (double)d->rare.usual, least = d->mean * (double)d->rare.least;
    double rare = sum_of(d, true), others = sum_of(d, false);
    double beyond =
        d->seconds <= (usual + least) / 2 || rare <= 0 ? 0 : fmax(0, d->seconds - usual);
    if (others <= 0)
        beyond = d->seconds;
    for (uint32_t k = d->first; k < d->end; k++) {
        double share = d->of->run->shares[k].seconds;
        d->of->seconds[k - d->first] =
            d->of->rare[k] ? beyond * share / rare : (d->seconds - beyond) * share / others;
    }
}

/* Of a share, in any unit; `all`: the mean length of all samples' instances. As the whole run,
 * where lengths tell nothing. */
static double weight_of(const struct dividing_instance *d, uint32_t k, double all)
{
    double length = (double)d->of->length[k], share = d->of->run->shares[k].seconds;
    double slope = length - d->mean;
    return all > d->mean ? share * fmax(0, (all - length) * d->mean + slope * d->seconds) : share;
}

static void divide_linear(const struct dividing_instance *d, double all)
{
    double sum = 0;
    for (uint32_t k = d->first; k < d->end; k++)
        sum += d->of->seconds[k - d->first] = weight_of(d, k, all);
    for (uint32_t k = d->first; k < d->end && sum > 0; k++)
        d->of->seconds[k - d->first] *= d->seconds / sum;
    if (sum <= 0 && all > 0)
        divide_linear(d, 0);
}

struct sca_instance sca_by_length_divide(struct sca_by_length *of, uint32_t rank,
                                         struct sca_trace_event call, double seconds)
{
    const struct sca_ppg_run *run = of->run;
    uint32_t interval = sca_intervals_number(&run->intervals, call.previous, call.site);
    if (interval == SCA_NONE)
        return (struct sca_instance){0};
    size_t at = (size_t)rank * run->intervals.n + interval;
    const struct dividing_instance d = {
        of,      run->first_share[at], run->first_share[at + 1], (double)of->mean[at],
        seconds, of->rare_of[interval]};
    double total = 0, all = 0;
    for (uint32_t k = d.first; k < d.end; k++) {
        total += run->shares[k].seconds;
        all += run->shares[k].seconds * (double)of->length[k];
    }
    if (total <= 0)
        return (struct sca_instance){0};
    if (d.rare.least > 0)
        divide_rare(&d);
    else
        divide_linear(&d, all / total);
    return (struct sca_instance){d.end - d.first, run->shares + d.first, of->seconds};
}

/* ---- its place ---- */

static bool is_below(const struct sca_ppg *ppg, uint32_t vertex, uint32_t above)
{
    while (vertex > above) /* parents come first */
        vertex = ppg->vertices[vertex].parent;
    return vertex == above;
}

/* In program order, half of the instance lies before it: what has most of it holds that. */
static uint32_t middle_of(const struct sca_instance *of, double seconds)
{
    uint32_t middle = SCA_NONE;
    for (uint32_t i = 0; i < of->n; i++) {
        double until = 0;
        for (uint32_t k = 0; k < of->n; k++)
            until += of->share[k].vertex <= of->share[i].vertex ? of->seconds[k] : 0;
        if (until >= SCA_HALF * seconds && of->share[i].vertex < middle)
            middle = of->share[i].vertex;
    }
    return middle;
}

static double below(const struct sca_ppg *ppg, const struct sca_instance *of, uint32_t vertex)
{
    double sum = 0;
    for (uint32_t k = 0; k < of->n; k++)
        sum += is_below(ppg, of->share[k].vertex, vertex) ? of->seconds[k] : 0;
    return sum;
}

static uint32_t call_vertex(const struct sca_ppg_run *run, uint32_t site)
{
    uint32_t vertex = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    return vertex == SCA_NONE ? 0 : vertex;
}

uint32_t sca_by_length_place(struct sca_by_length *of, uint32_t rank, struct sca_trace_event call,
                             double seconds)
{
    const struct sca_instance in = sca_by_length_divide(of, rank, call, seconds);
    uint32_t vertex = in.n ? middle_of(&in, seconds) : SCA_NONE;
    if (vertex == SCA_NONE)
        return sca_ppg_vertex_between(of->ppg, call_vertex(of->run, call.previous),
                                      call_vertex(of->run, call.site));
    while (vertex && below(of->ppg, &in, vertex) < SCA_MOST * seconds)
        vertex = of->ppg->vertices[vertex].parent;
    return vertex;
}
