#include "report/counter_reported.h"
#include "base/degrees.h"
#include "measure/sides.h"

#include <math.h>

struct rates { /* of a counter on some ranks; a second of their computation */
    double events, seconds;
    double least, most; /* of single ranks, events a second; of those that were there */
    uint32_t ranks;
};

struct counting {
    const struct sca_analysis *c;
    const struct sca_profile *profile;
    struct sca_opened *opened;
    const bool *is_cause; /* per rank */
};

static void add_rank(const struct counting *n, uint32_t rank, uint32_t counter, struct rates *to)
{
    const struct sca_rank *r = sca_rank_open(n->opened, rank, SCA_OPEN_SAMPLES);
    double events = 0, seconds = n->c->measures[n->c->last].rank_total[rank];
    for (uint32_t i = 0; i < r->nsamples; i++)
        events += (double)r->sample[i].metric[counter];
    if (seconds <= 0)
        return;
    to->events += events;
    to->seconds += seconds;
    to->least = to->ranks ? fmin(to->least, events / seconds) : events / seconds;
    to->most = fmax(to->most, events / seconds);
    to->ranks++;
}

static double rate_of(const struct rates *r)
{
    return r->seconds > 0 ? r->events / r->seconds : 0;
}

/* Whether it is by rank, by ratio, and beyond what counts of so many events scatter. */
static bool tells(const struct counting *n, const struct rates *in, const struct rates *out)
{
    double expected = rate_of(out) * in->seconds;
    return in->ranks && out->ranks && in->least > out->most &&
           rate_of(in) >= n->c->settings->abnorm_thd * rate_of(out) &&
           in->events - expected > SCA_FIVE_SIGMAS * sqrt(in->events);
}

static struct rates rates_of(const struct counting *n, uint32_t counter, bool of_cause)
{
    struct rates rates = {0};
    for (uint32_t r = 0; r < n->profile->nranks; r++)
        if (n->is_cause[r] == of_cause)
            add_rank(n, r, counter, &rates);
    return rates;
}

static struct sca_counter_reported most_different(const struct counting *n)
{
    struct sca_counter_reported told = {0};
    double most = 0;
    for (uint32_t i = 0; i < n->profile->nmetrics; i++) {
        struct rates in = rates_of(n, i, true), out = rates_of(n, i, false);
        double ratio = rate_of(&in) / rate_of(&out); /* infinite: the others have none */
        if (!tells(n, &in, &out) || ratio <= most)
            continue;
        most = ratio;
        told = (struct sca_counter_reported){n->profile->metrics[i], in.events / in.ranks,
                                             out.events / out.ranks};
    }
    return told;
}

struct sca_counter_reported sca_counter_reported_of(const struct sca_analysis *c,
                                                    const struct sca_finding *cause)
{
    const struct sca_profile *profile = c->measures[c->last].run->profile;
    if (!profile->nmetrics || sca_finding_rotates(cause) || cause->nranks == profile->nranks)
        return (struct sca_counter_reported){0};
    const bool *is_cause =
        sca_sides_named(c->space, &c->measures[c->last], cause->ranks, cause->nranks);
    const struct counting n = {c, profile, sca_workspace_opened(c->space, profile), is_cause};
    return most_different(&n);
}
