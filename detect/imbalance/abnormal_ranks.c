#include "imbalance/abnormal_ranks.h"
#include "base/degrees.h"
#include "stats/poisson.h"

#include <math.h>

/*
 * Variance of a rank's seconds if it were like the others: samples scatter with the root of how
 * many are *expected*, so that ten where none belong say more than ten out of twenty. The square
 * of one sample's worth is the least, or a single stray sample would be proof.
 */
static double usual_variance(const struct sca_judging *j, uint32_t r, double reference)
{
    double sample = j->variance[r] / j->seconds[r];
    return sample * fmin(reference, j->seconds[r]) + sample * sample;
}

struct others { /* ranks that do not stand out */
    double sum;
    uint32_t n;
};

static struct others others_of(const struct sca_judging *j, const bool *chosen)
{
    struct others others = {0};
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (!j->m->absent[r] && !chosen[r]) {
            others.sum += j->seconds[r];
            others.n++;
        }
    return others;
}

/* What they have of a place: their median, `reference`, is 0 where samples are few. */
static double usual_seconds(const struct others *others, double reference)
{
    return fmax(reference, others->n ? others->sum / others->n : 0);
}

static void leave_out(const struct sca_judging *j, uint32_t r, struct others *others)
{
    others->sum = fmax(0, others->sum - j->seconds[r]);
    others->n--;
}

/*
 * Whether so many samples are too many for chance, by Chernoff's bound on the tail of a Poisson
 * distribution: with thousands of ranks and places, some rank is five sigmas off somewhere.
 */
static bool beyond_chance(const struct sca_judging *j, uint32_t r, double usual)
{
    double sample = j->variance[r] / j->seconds[r];
    if (sample <= 0)
        return true;
    double found = j->seconds[r] / sample, expected = usual / sample + 1.0 / j->m->npresent;
    double tries = (double)j->m->npresent * j->m->ppg->nvertices;
    double least = fmax(SCA_FIVE_SIGMAS * SCA_FIVE_SIGMAS / 2, log(tries / SCA_FALSE_ALARMS));
    return sca_poisson_surprise(found, expected) >= least;
}

bool sca_abnormal_ranks_is_over(const struct sca_judging *j, uint32_t r)
{
    double core = j->around.core[r], x = core > 0 ? j->seconds[r] / core : j->seconds[r];
    double limit = fmax(j->limit, 1 + (core > 0 ? SCA_NEGLIGIBLE : SCA_RELEVANT));
    return x > SCA_NO_TIME && x >= limit * j->usual;
}

bool sca_abnormal_ranks_stands_out(const struct sca_judging *j, uint32_t r, double reference,
                                   double reference_variance)
{
    double x = j->seconds[r];
    return x > SCA_NO_TIME && x >= j->threshold * reference &&
           x - reference >=
               SCA_FIVE_SIGMAS * sqrt(usual_variance(j, r, reference) + reference_variance);
}

uint32_t sca_abnormal_ranks_drop_chance(const struct sca_judging *j, double reference, bool *chosen)
{
    struct others others = others_of(j, chosen);
    double usual = usual_seconds(&others, reference);
    uint32_t count = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && beyond_chance(j, r, usual);
    return count;
}

/*
 * Once some ranks are proven abnormal, another belongs to them if its samples are likelier theirs
 * than the others': the ratio of the two Poisson likelihoods, against the number of ranks tried.
 */
static bool is_like(const struct sca_judging *j, uint32_t r, double usual, double abnormal)
{
    double sample = j->seconds[r] > SCA_NO_TIME ? j->variance[r] / j->seconds[r] : 0;
    if (sample <= 0)
        return false;
    double found = j->seconds[r] / sample, theirs = abnormal / sample;
    double expected = usual / sample + 1.0 / j->m->npresent;
    return theirs > expected &&
           sca_poisson_log_ratio(found, theirs, expected) >= log(j->m->npresent / SCA_UNLIKELY);
}

struct alike { /* what the chosen ranks have, and the others, on average */
    double here, around, usual_around;
    struct others others;
};

static struct alike alike_of(const struct sca_judging *j, const bool *chosen, uint32_t count)
{
    struct alike a = {.others = others_of(j, chosen)};
    for (uint32_t r = 0; r < j->m->nranks; r++) {
        double around = j->around.seconds[r];
        a.here += chosen[r] ? j->seconds[r] / count : 0;
        a.around += chosen[r] ? around / count : 0;
        a.usual_around += !chosen[r] && !j->m->absent[r] ? around / a.others.n : 0;
    }
    return a;
}

/* By exact times nearer the chosen ranks than the others, and by samples of the place as well, as
 * far as these may mislead. */
static bool is_as_slow(const struct sca_judging *j, const struct alike *a, uint32_t r)
{
    double around = j->around.seconds[r], more = a->around - a->usual_around;
    double here = j->seconds[r] + SCA_THREE_SIGMAS * sqrt(j->variance[r]);
    return more > 0 && around - a->usual_around >= SCA_HALF * more &&
           around >= j->limit * a->usual_around && here >= j->limit * j->usual &&
           here - j->usual >= SCA_QUARTER * (a->here - j->usual);
}

/* What the others have without this one. */
static double usual_beside(const struct sca_judging *j, const bool *chosen, struct others others,
                           uint32_t r, double reference)
{
    if (!chosen[r] && !j->m->absent[r])
        leave_out(j, r, &others);
    return usual_seconds(&others, reference);
}

static void count_in(const struct sca_judging *j, bool *chosen, uint32_t r, struct others *others)
{
    if (!chosen[r] && !j->m->absent[r])
        leave_out(j, r, others);
    chosen[r] = true;
}

uint32_t sca_abnormal_ranks_add_alike(const struct sca_judging *j, double reference, bool *chosen,
                                      uint32_t count)
{
    struct alike a = alike_of(j, chosen, count);
    for (uint32_t r = 0; r < j->m->nranks; r++) {
        double usual = usual_beside(j, chosen, a.others, r, reference);
        if (chosen[r] || j->m->absent[r])
            continue;
        if (is_as_slow(j, &a, r) ||
            (sca_abnormal_ranks_is_over(j, r) && is_like(j, r, usual, a.here))) {
            count_in(j, chosen, r, &a.others);
            count++;
        }
    }
    return count;
}
